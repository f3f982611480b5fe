import { SigningKey } from '../platform/secrets/signing-key.ts';

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
  readonly #key: SigningKey | null;

  /** @param secret null where the target asks for no tokens */
  constructor(secret: string | null) {
    this.#key = secret === null ? null : new SigningKey(secret);
  }

  sign({ key, userId, documentUrl, callbackUrl }: Opening): { token?: string } {
    if (this.#key === null) return {};
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
    const token = this.#key.sign(claims, Date.now(), tokenLifeS, 'HS256');
    return { token };
  }
}
