import type { WordProtection } from '../../../model/word/document.ts';

type Password = NonNullable<WordProtection['password']>;

/** More characters are not part of it. */
const MOST_CHARS = 15;

/** By the number of characters (2.3.7.4 of [MS-OFFCRYPTO], and 17.15.1.29 of ECMA-376). */
const FIRST_WORDS = [
  0xe1f0, 0x1d0f, 0xcc9c, 0x84c0, 0x110c, 0x0e10, 0xf1ce, 0x313e, 0x1872, 0xe139, 0xd40f, 0x84f9, 0x280c,
  0xa96a, 0x4ec3,
];
/** By the place of a character from the end, and the bit of it. */
const BIT_WORDS = [
  [0xaefc, 0x4dd9, 0x9bb2, 0x2745, 0x4e8a, 0x9d14, 0x2a09],
  [0x7b61, 0xf6c2, 0xfda5, 0xeb6b, 0xc6f7, 0x9dcf, 0x2bbf],
  [0x4563, 0x8ac6, 0x05ad, 0x0b5a, 0x16b4, 0x2d68, 0x5ad0],
  [0x0375, 0x06ea, 0x0dd4, 0x1ba8, 0x3750, 0x6ea0, 0xdd40],
  [0xd849, 0xa0b3, 0x5147, 0xa28e, 0x553d, 0xaa7a, 0x44d5],
  [0x6f45, 0xde8a, 0xad35, 0x4a4b, 0x9496, 0x390d, 0x721a],
  [0xeb23, 0xc667, 0x9cef, 0x29ff, 0x53fe, 0xa7fc, 0x5fd9],
  [0x47d3, 0x8fa6, 0x0f6d, 0x1eda, 0x3db4, 0x7b68, 0xf6d0],
  [0xb861, 0x60e3, 0xc1c6, 0x93ad, 0x377b, 0x6ef6, 0xddec],
  [0x45a0, 0x8b40, 0x06a1, 0x0d42, 0x1a84, 0x3508, 0x6a10],
  [0xaa51, 0x4483, 0x8906, 0x022d, 0x045a, 0x08b4, 0x1168],
  [0x76b4, 0xed68, 0xcaf1, 0x85c3, 0x1ba7, 0x374e, 0x6e9c],
  [0x3730, 0x6e60, 0xdcc0, 0xa9a1, 0x4363, 0x86c6, 0x1dad],
  [0x3331, 0x6662, 0xccc4, 0x89a9, 0x0373, 0x06e6, 0x0dcc],
  [0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48c4],
];

/** Whether a page can say whether a password is right: it needs the cryptography of secure pages, and a known algorithm. */
export const canCheck = ({ algorithm }: Password): boolean =>
  algorithm !== null && globalThis.crypto?.subtle !== undefined;

/** Whether this is the password by which a document was protected (17.15.1.29). Takes a second or so. */
export async function isPassword(
  text: string,
  { algorithm, hash, salt, spinCount }: Password,
): Promise<boolean> {
  if (algorithm === null) return false;
  const digest = async (data: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.digest(algorithm, data));
  let current = await digest(joined(bytesOf(salt), legacyKey(text)));
  for (let turn = 0; turn < spinCount; turn++) {
    const data = new Uint8Array(current.length + 4);
    data.set(current);
    new DataView(data.buffer).setUint32(current.length, turn, true);
    current = await digest(data);
  }
  return btoa(String.fromCharCode(...current)) === hash.replace(/\s/g, '');
}

/** The text of the four bytes that a password is hashed to first, in UTF-16. */
function legacyKey(text: string): Uint8Array<ArrayBuffer> {
  const codes = [...text.slice(0, MOST_CHARS)].flatMap((character) =>
    character.split('').map((unit) => {
      const code = unit.charCodeAt(0);
      return code & 0xff || code >> 8;
    }),
  );
  const { length } = codes;
  let high = length === 0 ? 0 : FIRST_WORDS[length - 1]!;
  let low = 0;
  for (const [at, code] of codes.entries()) {
    const words = BIT_WORDS[MOST_CHARS - length + at]!;
    for (const [bit, word] of words.entries()) if (code & (1 << bit)) high ^= word;
  }
  for (const code of codes.toReversed()) low = rotated(low) ^ code;
  if (length > 0) low = rotated(low) ^ length ^ 0xce4b;
  const hex = [low & 0xff, low >> 8, high & 0xff, high >> 8]
    .map((byte) => byte.toString(16).padStart(2, '0').toUpperCase())
    .join('');
  const bytes = new Uint8Array(hex.length * 2);
  for (const [at, character] of [...hex].entries()) bytes[at * 2] = character.charCodeAt(0);
  return bytes;
}

/** Fifteen bits, by one to the left. */
const rotated = (word: number): number => ((word >> 14) & 1) | ((word << 1) & 0x7fff);

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
