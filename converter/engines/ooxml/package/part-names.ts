/** The name of a part with `/` between its segments and none before them, as our code writes names. */
export const plainName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '');

/**
 * By what names of parts are compared (ECMA-376 Part 2, 6.2.2.3 and 7.3.5): without case, and whether their characters are escaped or
 * not. Programs write names in either way, in the zip file and in what leads there.
 */
export function comparedName(name: string): string {
  const plain = plainName(name);
  try {
    return (plain.includes('%') ? decodeURIComponent(plain) : plain).toLowerCase();
  } catch {
    return plain.toLowerCase();
  }
}
