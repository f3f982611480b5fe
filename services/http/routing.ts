import type { Routing } from '../../platform/ports/document-lifecycle.ts';

const names: Readonly<Record<string, keyof Routing>> = {
  shardkey: 'shardkey',
  shardKey: 'shardkey',
  WOPISrc: 'WOPISrc',
  wopisrc: 'WOPISrc',
  usid: 'usid',
};

/** Longer values are neither a key nor an address. */
const longestValue = 4_096;

/** The routing in the query of a request; null where there is none. */
export function routingOf(requestUrl: string): Routing | null {
  const start = requestUrl.indexOf('?');
  if (start < 0) return null;
  const routing: Routing = {};
  for (const [given, value] of new URLSearchParams(requestUrl.slice(start))) {
    const name = Object.hasOwn(names, given) ? names[given] : undefined;
    if (name && value !== '' && value.length <= longestValue && !/[\u0000-\u001f]/.test(value)) {
      routing[name] ??= value.toWellFormed();
    }
  }
  return Object.keys(routing).length > 0 ? routing : null;
}

/** The routing of a document: the one of the request that opened it, else its key. */
export const routingOfDocument = (key: string, given: Routing | null): Routing => given ?? { shardkey: key };

/** An address with a routing at the end of its query. The rest is unchanged, but for a fragment, which is left out. */
export function withRouting(url: string, routing: Routing): string {
  const { searchParams } = new URL(url);
  const missing = Object.entries(routing).filter(([name]) => !searchParams.has(name));
  if (missing.length === 0) return url;
  const address = url.replace(/#.*$/s, '');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${new URLSearchParams(missing)}`;
}
