/** Scheme and host of an address, if it names them, and the path after them as it is written. */
const withHost = /^(?:https?:)?\/\/[^/?#\\]+([^?#]*)/i;
const ofSameHost = /^\/(?![/\\])[^?#]*/;

/** A path through `.` or `..`, which every client resolves. */
const withDots = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** Characters that may not be in a path or a query (RFC 3986). */
const unlawful = /[^!$&'()*+,\-./:;=?@_~%A-Za-z0-9[\]]+/g;

/** What is no part of an address wherever it stands (URL Standard, 4.4). */
const ignored = /^[\0- ]+|[\0- ]+$|[\t\n\r]+/g;

/**
 * What is asked for at the host of an address: its path and query as they are written, byte for byte, since the whole address may
 * be signed. `URL` writes some lawful ones in another way (`'`, a `?` at the end). The characters alone that may not be in an address
 * are written as `URL` does.
 *
 * @param given the address, or what a redirect says, which may leave out the host
 * @param url the same address, read
 */
export function requestTarget(given: string, url: URL): string {
  const address = given.replace(ignored, '');
  const query = /^[^?#]*(\?[^#]*)/.exec(address)?.[1];
  const path = withHost.exec(address)?.[1] ?? ofSameHost.exec(address)?.[0];
  return pathOf(path, url) + (query === undefined ? url.search : query.replace(unlawful, inQuery));
}

function pathOf(written: string | undefined, url: URL): string {
  if (written === undefined || withDots.test(written)) return url.pathname;
  const path = written.replace(unlawful, inPath);
  return path.startsWith('/') ? path : `/${path}`;
}

// The letter keeps white space from being at the end of the address.
const inPath = (text: string): string => new URL(`http://h/${text}x`).pathname.slice(1, -1);
const inQuery = (text: string): string => new URL(`http://h/?${text}x`).search.slice(1, -1);
