/** Where a command writes; tests give their own. */
export interface Io {
  stdout(text: string): void;
  stderr(text: string): void;
}
