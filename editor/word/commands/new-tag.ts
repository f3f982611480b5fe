/** Tells new lists of different people and pages apart. `crypto.randomUUID` is missing where a page came without TLS. */
export function newTag(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
