import type { Request } from 'express';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { mayDownload } from '../coauthoring/auth/identity.ts';
import { readSessionClaims } from '../coauthoring/auth/session-credentials.ts';
import type { Participant } from '../coauthoring/document/participants.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { DownloadCommand } from './download-command.ts';
import { sessionTokenOf } from './session-access.ts';

/** Somebody who may have a file, and where that is said. */
export type Downloader = Pick<Participant, 'sessionId' | 'connectionId'>;

/**
 * Who asks for a download: somebody who is connected with this document now, on whatever node, by the session token, and may download it,
 * or print it where a PDF to be shown is wanted. Null for everybody else. The token alone lives longer than the right
 * to what others write meanwhile.
 */
export async function downloaderOf(
  request: Request,
  command: DownloadCommand,
  { tokens, registry }: { tokens: Tokens; registry: DocumentRegistry },
): Promise<Downloader | null> {
  const { key } = request.params;
  if (!isDocumentKey(key)) return null;
  const verified = await tokens.verifySession(sessionTokenOf(request) ?? command.tokenSession);
  if (verified.kind !== 'ok') return null;
  const session = readSessionClaims(verified.claims);
  if (session?.key !== key || !allows(session.permissions, command)) return null;
  const isAsking = ({
    userIndex,
    sessionTimeConnectMs,
  }: Pick<Participant, 'userIndex' | 'sessionTimeConnectMs'>) =>
    userIndex === session.userIndex && sessionTimeConnectMs === session.connectedAtMs;
  const member = [...(registry.find(key)?.document.members.values() ?? [])].find(isAsking);
  if (member) return { sessionId: member.sessionId, connectionId: member.peer.id };
  return (await registry.participantsIn(key)).find(isAsking) ?? null;
}

/** Who may not download may print all the same, if that is said: then there is a PDF to be shown and nothing else. */
function allows(permissions: unknown, { inline, outputType }: DownloadCommand): boolean {
  const { print } = (permissions ?? {}) as { print?: unknown };
  return mayDownload(permissions) || (print === true && inline && outputType === 'pdf');
}
