/**
 * The prefix `/{x.y.z}-{tag}` that every address of the server may have (integration API, 2.1): browsers keep what they
 * load below it for a year, and another version has another one. The tag is any text without a slash; a hash is common.
 * Nor has it a percent sign: a proxy that decodes it would see other segments than are seen here.
 */
export const versionPrefixPattern = String.raw`/\d+\.\d+\.\d+-[^/?#%]+`;

const atStart = new RegExp(`^${versionPrefixPattern}(?=/)`);

/** An address without its version prefix, and whether it had one. */
export function withoutVersionPrefix(url: string): { url: string; hadPrefix: boolean } {
  const rest = url.replace(atStart, '');
  return { url: rest, hadPrefix: rest.length < url.length };
}
