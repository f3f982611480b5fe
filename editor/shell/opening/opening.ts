import { DocumentOpenError } from '../../../client/client-error.ts';
import type { DocumentClient } from '../../../client/document-client.ts';
import { ServiceError } from '../../../client/protocol/codes.ts';
import type { HostCodeName } from '../../frame/error-codes.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { HostBridge } from '../../frame/host-bridge.ts';
import type { Role } from '../../frame/role.ts';
import type { DocumentEditor } from '../document-editor.ts';

/**
 * What has to be said before a file can be opened. `source`: where the plain text is of which nothing says its encoding;
 * `isTable`: what stands between its cells is to be said, too.
 */
export type OpeningQuestion =
  | { kind: 'password'; isWrong: boolean }
  | { kind: 'encoding'; source: string; isTable: boolean };

/** What this person has said so far; `codepage` is a number of the editors' list of encodings. */
export interface OpeningAnswers {
  readonly password?: string;
  readonly codepage?: number;
  readonly delimiterChar?: string;
}

/** What a failed opening asks for; null for other failures, and where the answer did not help. */
export function questionIn(error: unknown, given: OpeningAnswers, fileType: string): OpeningQuestion | null {
  if (!(error instanceof DocumentOpenError)) return null;
  const { status, data } = error;
  if (status === 'needpassword') {
    const isWrong = data === ServiceError.convertWrongPassword;
    return isWrong || given.password === undefined ? { kind: 'password', isWrong } : null;
  }
  const isText = status === 'needparams' && typeof data === 'string' && given.codepage === undefined;
  return isText ? { kind: 'encoding', source: data, isTable: fileType.toLowerCase() === 'csv' } : null;
}

/** One attempt of the page to open its document. */
export interface Opening {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  /** Address of the server, with any path prefix. */
  readonly serverUrl: string;
  /** What this person has said so far of what the file does not say itself. */
  readonly answers: OpeningAnswers;
  /** Aborted when the page begins another attempt: the session of this one is to end. */
  readonly signal: AbortSignal;
  /** Shows what happens before there is a document. To be called as soon as there is a client. */
  follow(client: DocumentClient): void;
  /** Asks what turns out to be missing only now. Does not resolve when the attempt is given up. */
  ask(question: OpeningQuestion): Promise<OpeningAnswers>;
}

/** What a kind of document brings to its page. */
export interface EditorKind<E extends DocumentEditor = DocumentEditor> {
  /** What is open stays on the page while its successor is opened, since it may hold changes that are not sent. */
  readonly staysWhileReopening: boolean;
  /** What a configuration lets somebody do with a document of this kind. */
  roleOf(config: FrameConfig): Role;
  /** Connects and loads the document. @throws what the client throws, and what `codeOf` knows */
  open(opening: Opening): Promise<E>;
  /** Does what goes on while the editor is that of the page. `isNext`: another session came before. Returns how to stop. */
  follow(editor: E, isNext: boolean): () => void;
  /** The code by which the embedding page is told of a failure; null where it is none. */
  codeOf(error: unknown): HostCodeName | null;
  /** Says what is to be said before somebody changes the document for the first time. */
  beforeEditing?(config: FrameConfig): void;
  /** Leaves for a page that can show what this one cannot. False if there is none. */
  leaveFor?(code: HostCodeName): boolean;
  /** Leaves for the page that has led here, when this one is to try again. False if there is none. */
  leaveBack?(): boolean;
}
