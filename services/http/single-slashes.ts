/**
 * The address of a request with one slash where its path has several: applications that add a path to an address with a slash
 * at its end send such, and the reverse proxies in front of servers of this kind merge them. The two of `/doc//c`, which names no
 * document, stay.
 */
export function withSingleSlashes(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.startsWith('/') || !path.includes('//')) return url;
  return path.replace(/(?<!\/doc)\/{2,}/gi, '/') + url.slice(path.length);
}
