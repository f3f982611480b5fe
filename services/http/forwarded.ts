/** What one proxy says of the request that it passed on, by lower-case names: `for`, `by`, `host`, `proto`. */
export type ForwardedElement = Readonly<Record<string, string>>;

const pair = /\s*([!#$%&'*+.^_`|~\w-]+)=("(?:[^"\\]|\\.)*"|[^\s;,"]*)\s*(;|,|$)/y;

/** Headers that are older, and mean the same. A proxy that overwrites these passes `Forwarded` on as a client wrote it. */
const older = [
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix', 'x-forwarded-proto'],
  ...['x-forwarded-ssl', 'x-real-ip', 'cloudfront-forwarded-proto'],
];

/**
 * Other names that proxies give the scheme, with schemes as `X-Forwarded-Proto` has them or, the last, with `on`. They count where
 * nothing else says the scheme, and do not make `Forwarded` one of a client: a proxy that says `Forwarded` need not know them.
 */
export const otherSchemeHeaders = [
  ...['x-forwarded-scheme', 'x-forwarded-protocol', 'x-scheme', 'x-url-scheme', 'front-end-https'],
] as const;

/**
 * The headers in which a proxy may say something of the request that it passed on, in lower case, that a request has. A client may
 * have written them as well.
 */
export function forwardingHeadersOf(headers: Readonly<Record<string, unknown>>): string[] {
  return ['forwarded', ...older, ...otherSchemeHeaders].filter((name) => headers[name] !== undefined);
}

/**
 * The elements of the header `Forwarded` (RFC 7239, 4), the one of the outermost proxy first; none where there is one of the older
 * headers. What cannot be read ends them: nothing behind it is believed.
 *
 * @param headers of a request of a trusted proxy
 */
export function forwardedElements(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ForwardedElement[] {
  if (older.some((name) => headers[name] !== undefined)) return [];
  const text = [headers.forwarded ?? []].flat().join(',');
  const elements: Record<string, string>[] = [];
  let element: Record<string, string> = {};
  pair.lastIndex = 0;
  while (pair.lastIndex < text.length) {
    const found = pair.exec(text);
    if (!found) return elements;
    const [, name = '', value = '', end] = found;
    element[name.toLowerCase()] = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
    if (end === ';') continue;
    elements.push(element);
    element = {};
  }
  return elements;
}
