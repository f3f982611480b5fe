import type { DocumentClientError } from './client-error.ts';
import type {
  ChatMessage,
  CursorMessage,
  DocumentOpen,
  Lock,
  Participant,
  ServerMessage,
  ServerMessageOf,
} from './protocol/index.ts';
import type { Requests } from './requests.ts';
import type { SaveState } from './save-loop.ts';

/**
 * - `new`: `open` was not called.
 * - `connecting`: no session yet.
 * - `waiting`: another editor has to finish before this one is let in.
 * - `ready`: in session.
 * - `reconnecting`: the connection was lost, but no change.
 * - `ended`: for good; the `ended` event has the reason.
 */
export type ConnectionState = 'new' | 'connecting' | 'waiting' | 'ready' | 'reconnecting' | 'ended';

/** What a user interface shows. */
export interface DocumentStatus {
  connection: ConnectionState;
  saving: SaveState;
  /** Changes taken from the application and not acknowledged. */
  unacknowledgedCount: number;
  /** Everything this client asked to save is stored. */
  saved: boolean;
  /** The number of changes of the log that this client has, its own acknowledged ones included. */
  acknowledgedIndex: number;
  readOnly: boolean;
}

/**
 * What the integrator has confirmed to have: the first `index` changes of the log. `timeMs` is when it last confirmed, or
 * when the document was opened if it has not since.
 */
export interface Stored {
  index: number;
  timeMs: number;
  /** Since when the integrator has refused the file, which it is offered again and again; null while nothing is wrong. */
  refusedSinceMs: number | null;
}

/** How a client ended: by `close` (no error) or by what. `unacknowledged` was taken and never stored. */
export interface Ended {
  error: DocumentClientError | null;
  unacknowledged: readonly string[];
}

/** Events of a `DocumentClient` and what they carry. */
export interface DocumentEvents {
  status: DocumentStatus;
  participants: readonly Participant[];
  locks: ReadonlyMap<string, Lock>;
  chat: readonly ChatMessage[];
  cursor: CursorMessage;
  documentOpen: DocumentOpen['data'];
  /** How far the opening is, where it takes a while. */
  opening: ServerMessageOf<'quireOpening'>;
  /** The connection was lost and will be re-established; the text says how it was lost. */
  lost: string;
  warning: ServerMessageOf<'warning'>;
  /** The document has to be opened anew, with a new client. Followed by `ended`. */
  reload: DocumentClientError;
  /** The server demoted the session, dropped the user, or ended the connection. Each is followed by `ended`. */
  error: ServerMessageOf<'error'>;
  drop: ServerMessageOf<'drop'>;
  disconnectReason: ServerMessageOf<'disconnectReason'>;
  ended: Ended;
  /** The integrator has more of the document than before, or less; or the session began, or was restored. */
  stored: Stored;
  session: ServerMessageOf<'session'>['messages'];
  meta: ServerMessageOf<'meta'>['messages'];
  forceSave: ServerMessageOf<'forceSave'>['messages'];
  forceSaveStart: ServerMessageOf<'forceSaveStart'>['messages'];
  rpc: ServerMessageOf<'rpc'>;
  updateVersion: ServerMessageOf<'updateVersion'>;
  /** A message of the server was not of its documented form and had no effect; the text names the field. */
  invalidMessage: string;
  /** Every message that was understood, before it is acted on. */
  message: ServerMessage;
}

export type Emit = <Name extends keyof DocumentEvents>(name: Name, value: DocumentEvents[Name]) => void;

/** Messages whose content is for the application: news, the answer to a request, or why the session ends. */
export type Notice = Extract<
  ServerMessage,
  {
    type:
      | 'message'
      | 'cursor'
      | 'meta'
      | 'forceSave'
      | 'forceSaveStart'
      | 'rpc'
      | 'warning'
      | 'updateVersion'
      | 'quireOpening'
      | 'error'
      | 'drop'
      | 'disconnectReason';
  }
>;

export function passOn(notice: Notice, requests: Requests, emit: Emit): void {
  switch (notice.type) {
    case 'message':
      emit('chat', notice.messages ?? []);
      break;
    case 'cursor':
      for (const cursor of notice.messages) emit('cursor', cursor);
      break;
    case 'meta':
      emit('meta', notice.messages);
      break;
    case 'forceSave':
      emit('forceSave', notice.messages);
      break;
    case 'forceSaveStart':
      requests.answer('forceSaveStart', notice.messages);
      emit('forceSaveStart', notice.messages);
      break;
    case 'rpc':
      requests.answer(`rpc ${notice.responseKey}`, notice.data);
      emit('rpc', notice);
      break;
    case 'warning':
      emit('warning', notice);
      break;
    case 'updateVersion':
      emit('updateVersion', notice);
      break;
    case 'quireOpening':
      emit('opening', notice);
      break;
    case 'error':
      emit('error', notice);
      break;
    case 'drop':
      emit('drop', notice);
      break;
    case 'disconnectReason':
      emit('disconnectReason', notice);
      break;
  }
}
