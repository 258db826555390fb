/** No credentials are to be had; the message says why in one line. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials';
}
