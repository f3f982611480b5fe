import { randomBytes } from 'node:crypto';

const ofThisFile = randomBytes(4).toString('hex');
let named = 0;

/** A name that no other test has, of this file or another: a server outlives a test and serves many files. */
export function newName(base: string): string {
  named += 1;
  return `${base}-${ofThisFile}-${named}`;
}
