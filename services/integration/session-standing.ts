import type { Request } from 'express';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { DroppedUsers } from '../../db/dropped-users.ts';
import { grantsOf, mayAddPictures } from '../../model/log/change-author.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import { type Tokens, tokenBehind } from '../../platform/secrets/tokens.ts';
import { mayDownload } from '../coauthoring/auth/identity.ts';
import {
  isEditorSession,
  readSessionClaims,
  type SessionClaims,
} from '../coauthoring/auth/session-credentials.ts';
import type { Participant } from '../coauthoring/document/participants.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import { openedAs } from '../coauthoring/opened-as.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { Need } from '../http/address-rights.ts';
import { type Judge, refused } from '../http/routes.ts';
import { type DownloadCommand, downloadCommand } from './download-command.ts';

/** A connection that somebody has with a document, at any node. */
type Presence = Pick<Participant, 'sessionId' | 'connectionId'>;

/** Somebody with a session token of the document that the address of their request names. */
export interface SessionStanding {
  readonly session: SessionClaims;
  /** What they ask for, where the route has that. */
  readonly command: DownloadCommand;
  /** The document; null where there is none. */
  row(): Promise<DocumentRow | null>;
  /** Their connection; null where they have none. */
  presence(): Promise<Presence | null>;
}

export interface SessionNeeds {
  tokens: Tokens;
  droppedUsers: Pick<DroppedUsers, 'keepsOut'>;
  documents: Pick<Documents, 'find'>;
  registry: Pick<DocumentRegistry, 'find' | 'participantsIn'>;
  sealing: Sealing;
}

/** Each is judged by what the token and the server say, and by nothing that a request says of itself. */
const conditions: Readonly<
  Record<Need, (standing: SessionStanding, needs: SessionNeeds) => boolean | Promise<boolean>>
> = {
  mayEdit: ({ session }) => isEditorSession(session),
  isNotDropped: async ({ session: { key, userId, userIndex } }, { droppedUsers }) =>
    !(await droppedUsers.keepsOut(key, userId, { userIndex })),
  mayAddPictures: ({ session: { permissions, mode } }) => mayAddPictures(grantsOf(permissions, mode).may),
  // Somebody who may not download may still have the right to print: then they get a PDF that is shown, and nothing else.
  mayDownload: ({ session: { permissions }, command: { inline, outputType } }) =>
    mayDownload(permissions) || (permissions?.print === true && inline && outputType === 'pdf'),
  // The token alone lives longer than the right to what others write meanwhile.
  isConnected: async (standing) => (await standing.presence()) !== null,
  isOpen: async (standing) => (await standing.row())?.state === 'open',
  seesContent: async ({ session, row }, { sealing }) => {
    const found = await row();
    return found !== null && (session.knowsPassword || !openedAs(found, sealing).isProtected);
  },
};

/** What is said to somebody for whom it does not hold, where that is more than that they may not. */
const reasons: Readonly<Partial<Record<Need, string>>> = {
  isOpen: 'the document is not open',
  seesContent: 'the document is not open',
};

/** Judges session tokens (integration API, 11.2 and 11.3), and what the rows of their routes need: 403 where that does not hold. */
export function sessionTokens(needs: SessionNeeds): Judge<SessionStanding> {
  return async (request, rights) => {
    const command = downloadCommand(rights.hasCommand ? request.query.cmd : undefined);
    if (!command) return refused(400, 'cmd is not a JSON object');
    const session = await sessionOf(request, command, needs.tokens);
    if (!session) return refused(403, 'not allowed');
    const standing = standingOf(session, command, needs);
    for (const need of rights.needs ?? []) {
      if (!(await conditions[need](standing, needs))) return refused(403, reasons[need] ?? 'not allowed');
    }
    return { found: standing };
  };
}

const bearer = 'Bearer ';

/** The session of the token in the header, which has a fixed name here, else in the query, else in `cmd`; null where there is none. */
async function sessionOf(
  { headers, query, params: { key } }: Request,
  { tokenSession }: DownloadCommand,
  tokens: Tokens,
): Promise<SessionClaims | null> {
  const token = tokenBehind(bearer, headers.authorization ?? '') ?? query.token ?? tokenSession;
  const verified = await tokens.verifySession(token);
  if (verified.kind !== 'ok' || !isDocumentKey(key)) return null;
  const session = readSessionClaims(verified.claims);
  return session?.key === key ? session : null;
}

/** What has to be looked for is looked for once. */
function standingOf(
  session: SessionClaims,
  command: DownloadCommand,
  { documents, registry }: SessionNeeds,
): SessionStanding {
  let row: Promise<DocumentRow | null> | undefined;
  let presence: Promise<Presence | null> | undefined;
  return {
    session,
    command,
    row: () => {
      row ??= documents.find(session.key);
      return row;
    },
    presence: () => {
      presence ??= presenceOf(session, registry);
      return presence;
    },
  };
}

async function presenceOf(
  { key, userIndex, connectedAtMs }: SessionClaims,
  registry: SessionNeeds['registry'],
): Promise<Presence | null> {
  const isTheirs = (one: Pick<Participant, 'userIndex' | 'sessionTimeConnectMs'>) =>
    one.userIndex === userIndex && one.sessionTimeConnectMs === connectedAtMs;
  const member = [...(registry.find(key)?.document.members.values() ?? [])].find(isTheirs);
  if (member) return { sessionId: member.sessionId, connectionId: member.peer.id };
  return (await registry.participantsIn(key)).find(isTheirs) ?? null;
}
