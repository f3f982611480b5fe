import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';

/** The public keys of a discovery, read as hosts do: from modulus and exponent, checked against the blob. */
export interface DiscoveredKeys {
  current: KeyObject;
  old: KeyObject;
}

const longestAgeMs = 20 * 60_000;

/** Reads the `proof-key` element of a discovery. */
export function keysIn(discovery: string): DiscoveredKeys {
  const element = /<proof-key ([^>]*)\/>/.exec(discovery)?.[1] ?? '';
  const attribute = (name: string): string => {
    const value = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(element)?.[1];
    if (!value) throw new Error(`The discovery has no ${name}`);
    return value;
  };
  const key = (prefix: '' | 'old'): KeyObject => {
    const modulus = Buffer.from(attribute(`${prefix}modulus`), 'base64');
    const exponent = Buffer.from(attribute(`${prefix}exponent`), 'base64');
    checkBlob(Buffer.from(attribute(`${prefix}value`), 'base64'), modulus, exponent);
    const [n, e] = [modulus.toString('base64url'), exponent.toString('base64url')];
    return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
  };
  return { current: key(''), old: key('old') };
}

/** A PUBLICKEYBLOB of CryptoAPI: its fields in little-endian order, then the modulus from its last byte. */
function checkBlob(blob: Buffer, modulus: Buffer, exponent: Buffer): void {
  const wanted = {
    type: blob[0] === 6,
    version: blob[1] === 2,
    algorithm: blob.readInt32LE(4) === 0xa400,
    magic: blob.toString('ascii', 8, 12) === 'RSA1',
    bits: blob.readInt32LE(12) === modulus.length * 8,
    exponent: blob.readInt32LE(16) === Number(`0x${exponent.toString('hex')}`),
    modulus: Buffer.from([...blob.subarray(20)].reverse()).equals(modulus),
  };
  const wrong = Object.entries(wanted).filter(([, right]) => !right);
  if (wrong.length > 0) throw new Error(`The key's blob is wrong: ${wrong.map(([name]) => name).join(', ')}`);
}

/** A request as its host received it. */
export interface ProvenRequest {
  /** The whole address, the query included. */
  url: string;
  accessToken: string;
  proof: string | undefined;
  proofOld: string | undefined;
  /** Tenths of a microsecond since the year 1. */
  timestamp: string | undefined;
}

/** Whether a request comes from the owner of the keys, in one of the three ways that count; else what is wrong. */
export function whyNotProven(request: ProvenRequest, keys: DiscoveredKeys): string | null {
  const { proof, proofOld, timestamp } = request;
  if (!proof || !proofOld || !timestamp) return 'a header of the proof is missing';
  const sinceYear1Ms = Number(BigInt(timestamp) / 10_000n);
  const ageMs = Date.now() - Date.UTC(1970, 0, 1) - (sinceYear1Ms - 62_135_596_800_000);
  if (Math.abs(ageMs) > longestAgeMs) return `the time of the proof is wrong by ${ageMs} ms`;
  const bytes = expectedBytes(request.accessToken, request.url, BigInt(timestamp));
  const holds = (key: KeyObject, signature: string) =>
    createVerify('SHA256').update(bytes).verify(key, Buffer.from(signature, 'base64'));
  if (holds(keys.current, proof) || holds(keys.current, proofOld) || holds(keys.old, proof)) return null;
  return 'no signature of the proof holds';
}

function expectedBytes(token: string, url: string, ticks: bigint): Uint8Array {
  const encoder = new TextEncoder();
  const tokenBytes = encoder.encode(token);
  const urlBytes = encoder.encode(url.toUpperCase());
  const bytes = new Uint8Array(4 + tokenBytes.length + 4 + urlBytes.length + 4 + 8);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of [tokenBytes, urlBytes]) {
    view.setInt32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  view.setInt32(at, 8);
  view.setBigInt64(at + 4, ticks);
  return bytes;
}
