/** gari's field manager; it never changes, or the fields of an earlier name would never go. */
export const FIELD_MANAGER = 'gari';
/** Who writes status; the objects have another manager, so that neither takes the other's fields. */
export const STATUS_FIELD_MANAGER = 'gari-status';
