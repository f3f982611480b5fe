/** Addresses that reverse proxies keep from the outside, behind the version prefix that any may have: they have one spelling. */
const keptInside = /^\/(?:\d[^/]*\/)?(?:metrics|info|internal)(?:\/|$)/i;

/**
 * The address of a request with one slash where its path has several: applications that add a path to an address with a slash
 * at its end send such, and the reverse proxies in front of servers of this kind merge them. The two of `/doc//c`, which names no
 * document, stay, and so do those that would lead to what a proxy keeps from the outside by its address.
 */
export function withSingleSlashes(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.startsWith('/') || !path.includes('//')) return url;
  const merged = path.replace(/(?<!\/doc)\/{2,}/gi, '/');
  return keptInside.test(merged) ? url : merged + url.slice(path.length);
}
