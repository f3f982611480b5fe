import { type JWTPayload, jwtVerify, SignJWT } from 'jose';

const lifetime = '5m';
const clockToleranceS = 60;
const algorithms = ['HS256', 'HS384', 'HS512'];

/** What both sides know: the secret that each signs with, and the word before a token in a header. */
export interface SharedSecrets {
  own: string;
  documentServer: string;
  tokenPrefix: string;
}

/** Tokens as the document server expects and gives them: JWT with HS256 and the secrets both sides know. */
export class Signature {
  readonly #secret: Uint8Array;
  readonly #documentServerSecret: Uint8Array;
  readonly #prefix: string;

  constructor({ own, documentServer, tokenPrefix }: SharedSecrets) {
    this.#secret = Buffer.from(own, 'utf8');
    this.#documentServerSecret = Buffer.from(documentServer, 'utf8');
    this.#prefix = tokenPrefix;
  }

  sign(claims: object): Promise<string> {
    return new SignJWT(claims as JWTPayload)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(this.#secret);
  }

  /** The claims of a token of the document server; null when it is forged, expired or none. */
  async verify(token: unknown): Promise<JWTPayload | null> {
    if (typeof token !== 'string') return null;
    try {
      const options = { algorithms, clockTolerance: clockToleranceS, requiredClaims: ['exp'] };
      return (await jwtVerify(token, this.#documentServerSecret, options)).payload;
    } catch {
      return null;
    }
  }

  /** The claims of the token in a header, which is `Bearer …` unless another word was agreed on. */
  verifyHeader(header: string | undefined): Promise<JWTPayload | null> {
    return this.verify(header?.startsWith(this.#prefix) ? header.slice(this.#prefix.length) : undefined);
  }
}
