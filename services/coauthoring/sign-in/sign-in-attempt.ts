import { type AuthRequest, DisconnectCode, type OpenCommand } from '../../../client/protocol/index.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { Credential } from '../../../db/dropped-users.ts';
import type { SourceAddress } from '../../../db/entries.ts';
import { kinds, UnknownModelError } from '../../../model/kinds.ts';
import { QuireError } from '../../../platform/quire-error.ts';
import type { DocumentActor } from '../document/actor.ts';
import type { Greeting } from '../document/joining.ts';
import type { Member } from '../document/member.ts';
import type { Connection } from '../gateway/connection.ts';
import type { AuthorisedRequest } from './host-access.ts';

/**
 * A connection that signed in. It is kept for every connection, so it holds what is needed later and nothing of the
 * request that brought it.
 */
export interface SignedIn {
  actor: DocumentActor;
  member: Member;
  /** Its `auth` reply; null when it was attached only to say why it was refused. */
  greeting: Greeting | null;
  permissions: AuthRequest['permissions'];
  editorType: AuthRequest['editorType'];
  /** The key was delivered a moment ago and cannot be edited. */
  usedUp: boolean;
  /** Whether a verified token stood behind the request. */
  vouched: boolean;
}

/** The outcome of a sign-in: who is in, and what they want opened. */
export interface SignInResult {
  signedIn: SignedIn;
  openCmd: OpenCommand | null;
  /** The document as it was found a moment ago, where nobody else can have begun to open it since. */
  found?: FoundDocument;
}

/** A document, and the pictures that editors have put in, as blobs by path. */
export interface FoundDocument {
  row: DocumentRow;
  media: Readonly<Record<string, string>>;
}

/** Somebody at the door of a document, with what their tokens say. */
export interface SignInAttempt extends AuthorisedRequest {
  connection: Connection;
  actor: DocumentActor;
  key: string;
  vouched: boolean;
  /** A version of its history is looked at. */
  isHistory: boolean;
  /** By what it comes in; see `DroppedUsers`. */
  credential: Credential;
  connectedAtMs: number | null;
  nameIsFixed: boolean;
  knowsPassword: boolean;
  /** Why somebody who wanted to edit may only look; null where that is not so. */
  viewNotice: string | null;
}

/** Where the file is that came with the request. */
export const sourceOf = ({ request, vouched }: SignInAttempt): SourceAddress => ({
  url: request.openCmd?.url || null,
  vouched,
});

/** Ends a sign-in. The client was sent the reason. */
export class Refused extends QuireError {
  /** The code that its connection was closed with. */
  readonly closeCode: number;

  constructor(closeCode: number, description: string) {
    super('refused', description, { level: 'info' });
    this.closeCode = closeCode;
  }
}

/** Sends a connection away for good, saying why; throw what it returns. */
export function refuse(connection: Connection, code: number, description: string): Refused {
  connection.dismiss(code, description);
  return new Refused(code, description);
}

/** Sends an editor away from a document of another kind of editor; throw what it returns. */
export function refuseOtherEditor(connection: Connection, description: string): Refused {
  connection.dismiss(DisconnectCode.accessDeny, description, { isOtherEditors: true });
  return new Refused(DisconnectCode.accessDeny, description);
}

/**
 * What a later version has opened in a model of its own stays as it is until a server that knows the model goes on with it.
 * @throws Refused
 */
export function refuseUnknownModel(
  { connection }: Pick<SignInAttempt, 'connection'>,
  { model }: Pick<DocumentRow, 'model'>,
): void {
  if (model === null || kinds.knows(model)) return;
  const { message } = new UnknownModelError(model, kinds.models);
  throw refuse(connection, DisconnectCode.accessDeny, message);
}
