import { createHash } from 'node:crypto';

/** An id of the form that programs want, the same for the same name. */
export function guidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').toUpperCase();
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `{${parts.join('-')}}`;
}
