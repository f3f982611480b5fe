import { SignJWT } from 'jose';

/** Longer than any run, seconds. */
const tokenLifeS = 24 * 3_600;

/** What a person opens, as an integrator's page would say it. */
interface Opening {
  key: string;
  userId: string;
  documentUrl: string;
  callbackUrl: string;
}

/** Signs what an integrator signs: the configuration with which somebody opens a document. */
export class Signer {
  readonly #secret: Uint8Array | null;

  /** @param secret null where the target asks for no tokens */
  constructor(secret: string | null) {
    this.#secret = secret === null ? null : new TextEncoder().encode(secret);
  }

  async sign({ key, userId, documentUrl, callbackUrl }: Opening): Promise<{ token?: string }> {
    if (this.#secret === null) return {};
    const claims = {
      documentType: 'word',
      document: {
        key,
        url: documentUrl,
        title: 'load.docx',
        fileType: 'docx',
        permissions: { edit: true },
      },
      editorConfig: { callbackUrl, mode: 'edit', lang: 'en', user: { id: userId, name: `User ${userId}` } },
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime(`${tokenLifeS}s`)
      .sign(this.#secret);
    return { token };
  }
}
