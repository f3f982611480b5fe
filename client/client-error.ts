import { QuireError } from '../platform/quire-error.ts';
import { DisconnectCode, type ServerMessageOf } from './protocol/index.ts';
import type { TransportEnd } from './transports/transport.ts';

/**
 * Why something could not be done.
 * - `refused`: the server did not accept the token or the user (`disconnectReason`, handshake refusal).
 * - `other-editor`: the document is open in another kind of editor, or its file is one for another kind.
 * - `reload`: the document has to be opened anew; what is unacknowledged cannot be placed any more.
 * - `dropped`: an administrator or the integrator ended this user's session.
 * - `open`: the document could not be opened, see `DocumentOpenError`.
 * - `unreachable`: the attempts to connect are used up.
 * - `timeout`: no answer in time.
 * - `read-only`: this session may not change the document.
 * - `hook`: a hook of the application threw; `cause` has the error.
 * - `closed`: the client was closed.
 */
export type DocumentClientErrorCode =
  | 'refused'
  | 'other-editor'
  | 'reload'
  | 'dropped'
  | 'open'
  | 'unreachable'
  | 'timeout'
  | 'read-only'
  | 'hook'
  | 'closed';

export class DocumentClientError extends QuireError<DocumentClientErrorCode> {
  /** The protocol's own number, where the server gave one. */
  readonly protocolCode: number | undefined;

  constructor(
    code: DocumentClientErrorCode,
    message: string,
    options?: { protocolCode?: number; cause?: unknown },
  ) {
    super(code, message, { cause: options?.cause, retryable: code === 'unreachable' || code === 'timeout' });
    this.protocolCode = options?.protocolCode;
  }
}

/** What `DocumentHooks.load` throws when it cannot use a checkpoint: the whole log is asked for instead. */
export class CheckpointUnreadable extends QuireError {
  constructor(cause: unknown) {
    super('checkpoint-unreadable', 'the checkpoint cannot be read', { cause });
  }
}

/** The open command was answered with something other than a document. */
export class DocumentOpenError extends DocumentClientError {
  /** `err`, `needpassword`, `needparams`. */
  readonly status: string;
  /** The error number, or for `needparams` the address of the source. */
  readonly data: unknown;

  constructor(status: string, data: unknown) {
    super('open', `the document could not be opened: ${status}`);
    this.status = status;
    this.data = data;
  }
}

function ending(
  code: DocumentClientErrorCode,
  detail: string | null | undefined,
  protocolCode: number | null | undefined,
): DocumentClientError {
  return new DocumentClientError(
    code,
    detail || code,
    typeof protocolCode === 'number' ? { protocolCode } : {},
  );
}

/** The connection ended for good. */
export function transportEnding(end: TransportEnd): DocumentClientError {
  switch (end.kind) {
    case 'refused':
      return ending('refused', end.description, end.code);
    case 'dismissed':
      return ending('refused', 'the server ended the connection', null);
    case 'lost':
      return ending('unreachable', end.detail, null);
  }
}

/** Messages after which the session does not go on. */
export type EndingMessage =
  | ServerMessageOf<'error'>
  | ServerMessageOf<'drop'>
  | ServerMessageOf<'disconnectReason'>;

/** A soft error means a refusal before a session was established, and a document that moved on after. */
export function messageEnding(message: EndingMessage, hadSession: boolean): DocumentClientError {
  switch (message.type) {
    case 'error':
      return ending(hadSession ? 'reload' : 'refused', message.description, message.code);
    case 'drop':
      return ending('dropped', message.description, Number(message.code) || DisconnectCode.drop);
    case 'disconnectReason':
      return ending(
        message.quireOtherEditor ? 'other-editor' : 'refused',
        message.description,
        message.code ?? DisconnectCode.drop,
      );
  }
}
