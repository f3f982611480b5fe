import type { WopiSessionRow } from '../../db/wopi-sessions.ts';
import type { HostAccess } from './host-client.ts';

/** In whose name a host is asked. */
export const accessOf = ({ id, source, accessToken }: WopiSessionRow): HostAccess => ({
  source,
  accessToken,
  sessionId: id,
});
