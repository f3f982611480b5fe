import { createPrivateKey, createSign, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '../../platform/config.ts';
import type { SecretPlace } from '../../platform/secrets/secret-place.ts';

/** A public key as discovery publishes it: base64 of a CryptoAPI blob, and of modulus and exponent by themselves. */
export interface PublishedKey {
  value: string;
  modulus: string;
  exponent: string;
}

const pairSchema = z.strictObject({ current: z.string().min(1), old: z.string().min(1) });
type StoredKeys = z.infer<typeof pairSchema>;

const ticksAt1970 = 621_355_968_000_000_000n;
const ticksPerMs = 10_000n;

/** A time as .NET counts it: tenths of a microsecond since the year 1. */
const ticksOf = (timeMs: number): bigint => BigInt(timeMs) * ticksPerMs + ticksAt1970;

/**
 * The keys with which requests to WOPI hosts are signed (integration API, 13.5). Hosts keep discovery for hours, so a
 * request carries two signatures and discovery two keys: after a rotation the old key vouches for the new one.
 */
export class ProofKeys {
  readonly #current: KeyObject;
  readonly #old: KeyObject;

  private constructor({ current, old }: StoredKeys) {
    this.#current = createPrivateKey(current);
    this.#old = createPrivateKey(old);
  }

  /**
   * Reads the keys, which are made when there are none; the first keys are their own predecessors.
   * @throws ConfigError when they are damaged
   */
  static async load(place: SecretPlace): Promise<ProofKeys> {
    const text = await place.keep(async () => {
      const current = await newKey();
      return serialise({ current, old: current });
    });
    return new ProofKeys(parse(place.name, text));
  }

  /** Makes a new key; the one in use becomes the old one. Servers use it from their next start on. */
  static async rotate(place: SecretPlace): Promise<void> {
    const first = await newKey();
    const text = await place.keep(async () => serialise({ current: first, old: first }));
    const { current } = parse(place.name, text);
    await place.replace(serialise({ current: await newKey(), old: current }));
  }

  get published(): { current: PublishedKey; old: PublishedKey } {
    return { current: publishedOf(this.#current), old: publishedOf(this.#old) };
  }

  /** The headers that prove who asks: of this address, with this token, at this time. */
  headers(accessToken: string, address: string, timeMs: number): Record<string, string> {
    const ticks = ticksOf(timeMs);
    const signed = signedBytes(accessToken, address, ticks);
    return {
      'X-WOPI-TimeStamp': String(ticks),
      'X-WOPI-Proof': signature(this.#current, signed),
      'X-WOPI-ProofOld': signature(this.#old, signed),
    };
  }
}

function signedBytes(accessToken: string, address: string, ticks: bigint): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigInt64BE(ticks);
  const parts = [Buffer.from(accessToken, 'utf8'), Buffer.from(address.toUpperCase(), 'utf8'), time];
  return Buffer.concat(
    parts.flatMap((part) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(part.length);
      return [size, part];
    }),
  );
}

const signature = (key: KeyObject, bytes: Buffer): string =>
  createSign('RSA-SHA256').update(bytes).sign(key, 'base64');

/** The blob is what CryptoAPI exports: headers in little-endian order, then the modulus with its last byte first. */
function publishedOf(key: KeyObject): PublishedKey {
  const { n, e } = key.export({ format: 'jwk' }) as { n: string; e: string };
  const modulus = Buffer.from(n, 'base64url');
  const exponent = Buffer.from(e, 'base64url');
  const header = Buffer.alloc(20);
  header.writeUInt8(0x06, 0); // PUBLICKEYBLOB
  header.writeUInt8(0x02, 1); // version
  header.writeUInt32LE(0x0000a400, 4); // CALG_RSA_KEYX
  header.write('RSA1', 8, 'latin1');
  header.writeUInt32LE(modulus.length * 8, 12);
  header.writeUInt32LE(exponent.readUIntBE(0, exponent.length), 16);
  const blob = Buffer.concat([header, Buffer.from(modulus).reverse()]);
  return {
    value: blob.toString('base64'),
    modulus: modulus.toString('base64'),
    exponent: exponent.toString('base64'),
  };
}

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
}

const serialise = (keys: StoredKeys): string => `${JSON.stringify(keys, null, 2)}\n`;

function parse(file: string, text: string): StoredKeys {
  try {
    const keys = pairSchema.parse(JSON.parse(text));
    createPrivateKey(keys.current);
    createPrivateKey(keys.old);
    return keys;
  } catch {
    throw new ConfigError([`${file} is damaged: restore it, or delete it to have new keys generated`]);
  }
}
