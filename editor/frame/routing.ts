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
