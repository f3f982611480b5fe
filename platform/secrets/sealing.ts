import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what must not be in a database or a queue in plain text, above all passwords of documents: by AES-256-GCM under
 * a key made from the secret of file links, which all nodes share.
 */
export class Sealing {
  readonly #sealKey: Buffer;
  readonly #nameKey: Buffer;

  constructor({ link }: Pick<Secrets, 'link'>) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', link, '', purpose, keyBytes));
    this.#sealKey = derive('quire: what is sealed');
    this.#nameKey = derive('quire: names of secrets');
  }

  /** Encrypts a text; `context` must be the same when it is opened. */
  seal(text: string, context: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#sealKey, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The text, or null when it was sealed with another secret or for another context, or is damaged. */
  open(sealed: string, context: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return null;
    try {
      const decipher = createDecipheriv(algorithm, this.#sealKey, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  /** A name for a text from which it cannot be guessed; the same text always has the same. */
  nameOf(text: string): string {
    return createHmac('sha256', this.#nameKey).update(text).digest('hex');
  }
}
