import { createHash } from 'node:crypto';
import type { Credential } from '../../../db/dropped-users.ts';
import type { Claims } from '../../../platform/secrets/tokens.ts';

/** By what somebody comes who shows a verified token of an integrator; see `DroppedUsers`. */
export const signedCredential = (
  token: unknown,
  { iat }: Claims,
): Exclude<Credential, { userIndex: number }> => ({
  digest: createHash('sha256').update(String(token)).digest('base64url'),
  signedAtS: typeof iat === 'number' ? iat : null,
});
