let named = 0;

/**
 * A name that no other test has, nor another attempt of the same: servers outlive a test that is tried again, and so does
 * what the first attempt has written.
 */
export function newName(base: string): string {
  named += 1;
  return `${base}-${named}`;
}
