import { createHash } from 'node:crypto';
import type { Credential } from '../../../db/dropped-users.ts';
import { type Claims, signedAtS } from '../../../platform/secrets/signing-key.ts';

/** By what somebody comes who shows a verified token of an integrator; see `DroppedUsers`. */
export const signedCredential = (
  token: unknown,
  claims: Claims,
): Exclude<Credential, { userIndex: number }> => ({
  digest: createHash('sha256').update(String(token)).digest('base64url'),
  signedAtS: signedAtS(claims),
});
