import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';

/**
 * Passwords of protected sheets and workbooks, as xlsx keeps them (18.2.29, 18.3.1.85): a hash of salt and password that is
 * hashed again some 100,000 times. Who takes a protection off shows that they know the password by the hash before the
 * last: everybody can see by one more step that it leads to the one of the file, and the log does not get the password.
 * A password of old is a number of 16 bits, which keeps out nobody who wants to get in; its proof is that number.
 */
export interface PasswordCheck {
  /** As files name it, such as `SHA-512`; null for a password of old. */
  readonly algorithm: string | null;
  /** Base64; of a password of old four hexadecimal digits. */
  readonly hash: string;
  readonly salt: string;
  readonly spinCount: number;
}

const digests: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = {
  'SHA-1': sha1,
  'SHA-256': sha256,
  'SHA-384': sha384,
  'SHA-512': sha512,
};

/** Rounds of hashing that a file may ask for, as Excel bounds them. */
const mostSpins = 10_000_000;
/** A proof is made in parts of so many rounds, between which other work is done. */
const roundsAtOnce = 5_000;

/** The password that the attributes of a protection tell of; null where there is none. */
export function passwordCheckOf(extra: Readonly<Record<string, unknown>> | undefined): PasswordCheck | null {
  const { algorithmName, hashValue, saltValue, spinCount, password } = extra ?? {};
  if (typeof hashValue === 'string' && hashValue !== '') {
    const spins = Number(spinCount ?? 0);
    return {
      algorithm: typeof algorithmName === 'string' ? algorithmName : '',
      hash: hashValue.replace(/\s/g, ''),
      salt: typeof saltValue === 'string' ? saltValue : '',
      spinCount: Number.isInteger(spins) ? spins : -1,
    };
  }
  if (typeof password !== 'string' || password === '') return null;
  return { algorithm: null, hash: password.toUpperCase().padStart(4, '0'), salt: '', spinCount: 0 };
}

/** Whether anybody can prove a password here: not where the hash is of an unknown kind, or of a single round. */
export const isProvable = ({ algorithm, spinCount }: PasswordCheck): boolean =>
  algorithm === null || (Object.hasOwn(digests, algorithm) && spinCount >= 1 && spinCount <= mostSpins);

/** Whether a proof is one of somebody who knows the password. */
export function isProof(proof: string | undefined, check: PasswordCheck): boolean {
  if (proof === undefined || !isProvable(check)) return false;
  if (check.algorithm === null) return proof === check.hash;
  const before = bytesOf(proof);
  if (before === null) return false;
  return base64Of(nextHash(digests[check.algorithm]!, before, check.spinCount - 1)) === check.hash;
}

/** The proof that a text makes; of a wrong password it is none. Takes a second or so, and gives way to other work. */
export async function proofOf(text: string, check: PasswordCheck): Promise<string> {
  if (check.algorithm === null) return legacyHash(text);
  const digest = digests[check.algorithm]!;
  let current = digest(joined(bytesOf(check.salt) ?? new Uint8Array(), utf16Of(text)));
  for (let round = 0; round < check.spinCount - 1; round++) {
    if (round % roundsAtOnce === 0) await new Promise((resolve) => setTimeout(resolve));
    current = nextHash(digest, current, round);
  }
  return base64Of(current);
}

/** The attributes of a protection with a password, with a salt of its own. */
export async function newPassword(
  text: string,
  spinCount = 100_000,
): Promise<Readonly<Record<string, string>>> {
  const salt = base64Of(crypto.getRandomValues(new Uint8Array(16)));
  const check = { algorithm: 'SHA-512', hash: '', salt, spinCount };
  const last = nextHash(sha512, bytesOf(await proofOf(text, check))!, spinCount - 1);
  return {
    algorithmName: check.algorithm,
    hashValue: base64Of(last),
    saltValue: salt,
    spinCount: String(spinCount),
  };
}

function nextHash(digest: (data: Uint8Array) => Uint8Array, current: Uint8Array, round: number): Uint8Array {
  const data = new Uint8Array(current.length + 4);
  data.set(current);
  new DataView(data.buffer).setUint32(current.length, round, true);
  return digest(data);
}

/** The hash of 16 bits that programs before Excel 2013 kept. */
function legacyHash(text: string): string {
  const turned = (word: number) => ((word >> 14) & 1) | ((word << 1) & 0x7fff);
  const codes = [...text].map((character) => character.charCodeAt(0));
  const word = codes.reduceRight((hash, code) => turned(hash) ^ code, 0);
  const hash = turned(word) ^ codes.length ^ 0xce4b;
  return (hash & 0xffff).toString(16).toUpperCase().padStart(4, '0');
}

function utf16Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true);
  return bytes;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
