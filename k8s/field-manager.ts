/** gari's field manager; it never changes, or the fields of an earlier name would never go. */
export const FIELD_MANAGER = 'gari';
