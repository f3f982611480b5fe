import { type JWTPayload, jwtVerify, SignJWT } from 'jose';

const lifetime = '5m';
const clockToleranceS = 60;

/** Tokens as the document server expects and gives them: JWT with HS256 and the secret both sides know. */
export class Signature {
  readonly #secret: Uint8Array;

  constructor(secret: string) {
    this.#secret = Buffer.from(secret, 'utf8');
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
      const options = { algorithms: ['HS256'], clockTolerance: clockToleranceS, requiredClaims: ['exp'] };
      return (await jwtVerify(token, this.#secret, options)).payload;
    } catch {
      return null;
    }
  }

  /** The claims of the token in a header of the form `Bearer …`. */
  verifyHeader(header: string | undefined): Promise<JWTPayload | null> {
    return this.verify(header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : undefined);
  }
}
