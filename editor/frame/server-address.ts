/**
 * The server's address with its sub-path and version prefix, without a slash at the end. Pages of editors are served
 * at `web-apps/apps/quire/<page>/index.html` below it.
 */
export function serverAddress(pageAddress: string): string {
  const { href } = new URL('../../../../', pageAddress);
  return href.slice(0, -1);
}
