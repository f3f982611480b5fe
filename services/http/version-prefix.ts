/**
 * The prefix `/{x.y.z}-{tag}` that every address of the server may have (integration API, 2.1). Each version has another
 * prefix, so that browsers can cache what is below it for a year. The tag is any text without a slash; a hash is common. It has
 * no percent sign either: a proxy that decodes it would see other segments than this server.
 */
export const versionPrefixPattern = String.raw`/\d+\.\d+\.\d+-[^/?#%]+`;

const atStart = new RegExp(`^${versionPrefixPattern}(?=/)`);

/** An address without its version prefix, and whether it had one. */
export function withoutVersionPrefix(url: string): { url: string; hadPrefix: boolean } {
  const rest = url.replace(atStart, '');
  return { url: rest, hadPrefix: rest.length < url.length };
}
