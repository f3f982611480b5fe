import { tenantOf } from '../../jobs/job.ts';
import type { Connection } from './gateway/connection.ts';
import type { SignedIn } from './sign-in/sign-in-attempt.ts';

/**
 * Who pays for the large messages of a connection: the person whom a verified token names, at the application that callbacks go to;
 * everybody in the client's network where no token says who it is, because a name that anybody may choose bounds nobody.
 */
export function payerOf(
  { handshake: { network } }: Pick<Connection, 'handshake'>,
  { vouched, member: { nameIsFixed, author, visitor } }: Pick<SignedIn, 'vouched' | 'member'>,
): string {
  if (!vouched || !nameIsFixed) return JSON.stringify(['network', network]);
  return JSON.stringify(['person', tenantOf(visitor.callbackUrl ?? '').tenant, author.userId]);
}
