/**
 * The server's address with its sub-path and version prefix, without a slash at the end. Pages of editors are served
 * at `web-apps/apps/quire/<page>/index.html` below it.
 */
export function serverAddress(pageAddress: string): string {
  const { href } = new URL('../../../../', pageAddress);
  return href.slice(0, -1);
}

/** Hosts write them as they like; these are the names that are sent. */
const names: Readonly<Record<string, string>> = { shardkey: 'shardkey', wopisrc: 'WOPISrc', usid: 'usid' };

/**
 * What a page's own address says for balancers in front of the server (integration API, section 14). It belongs into the
 * query of each request about the document, so that all of them come to the same node.
 */
export function routingIn(search: string): Record<string, string> {
  const routing: Record<string, string> = {};
  for (const [given, value] of new URLSearchParams(search)) {
    const name = names[given.toLowerCase()];
    if (name !== undefined && value !== '') routing[name] ??= value;
  }
  return routing;
}
