/** The scheme and the host of an address, and after them its path and query. */
const written = /^https?:\/\/[^/?#\\]+([^#]*)/i;

/** All characters that may be in a path and a query (RFC 3986). */
const lawful = /^[!$&'()*+,\-./:;=?@_~%A-Za-z0-9[\]]*$/;

/** A path through `.` or `..`, which every client resolves. */
const withDots = /\/(?:\.|%2e){1,2}(?:\/|\?|$)/i;

/**
 * What is asked for at the host of an address: its path and query as they are written, byte for byte, since the whole address may
 * be signed. `URL` writes some lawful ones in another way (`'`, a `?` at the end). What may not be in an address is
 * written as `URL` does.
 *
 * @param url the same address, read
 */
export function requestTarget(address: string, url: URL): string {
  const target = written.exec(address)?.[1];
  const read = url.pathname + url.search;
  if (target === undefined || !lawful.test(target) || withDots.test(target)) return read;
  return target.startsWith('/') ? target : `/${target}`;
}
