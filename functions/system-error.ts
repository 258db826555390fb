const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read or write it',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links lead round in a ring',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file or directory',
  ENOSPC: 'no space is left on its disk',
  ENOTDIR: 'a part of its path is a file and no directory',
  EPERM: 'no permission to read or write it',
  EROFS: 'it is on a read-only file system',
};

/** What the operating system refused, and why. */
interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

/** Whether the operating system refused something: the input's fault or the machine's, not gari's. */
export function isSystemError(error: unknown): error is SystemError {
  // Node's own errors have a code as well (ERR_…), but no call of the system.
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Why the operating system refused something, in words. */
export function systemReason({ code }: { readonly code: string }): string {
  return WORDS[code] ?? `it cannot be read or written (${code})`;
}
