import type { Connection } from './gateway/connection.ts';
import type { SignedIn } from './sign-in/sign-in-attempt.ts';

/**
 * Who pays for the large messages of a connection: the person whom a verified token names, at the application that callbacks go to;
 * everybody in the client's network where no token says who it is, because a name that anybody may choose bounds nobody.
 * `tenant`: that application, see `tenantOf`.
 */
export function payerOf(
  { handshake: { network } }: Pick<Connection, 'handshake'>,
  { vouched, member: { nameIsFixed, author } }: Pick<SignedIn, 'vouched' | 'member'>,
  tenant: string,
): string {
  if (!vouched || !nameIsFixed) return JSON.stringify(['network', network]);
  return JSON.stringify(['person', tenant, author.userId]);
}
