import type { LoggedChange } from './change-sequence.ts';
import type { Clock } from './clock.ts';
import type { AuthRequest, DocumentOpen, OpenCommand } from './protocol/index.ts';
import type { ReconnectOptions } from './reconnect.ts';
import type { Dial } from './transports/transport.ts';

/** The answer to the open command; `urls` maps the names of the document's files to signed addresses. */
export interface OpenedDocument {
  status: string;
  urls: Readonly<Record<string, string>>;
  reply: DocumentOpen['data'] | null;
}

/** A Quire extension: the document after the first `index` changes of its log, of which the history holds the rest. */
export interface OfferedCheckpoint {
  index: number;
  url: string;
}

/** Local changes, or local changes with what a spreadsheet save inserted and removed (see `ExcelInfo`). */
export type TakenBatch = readonly string[] | { changes: readonly string[]; excelAdditionalInfo: string };

/**
 * The application's side of editing. The client calls these one at a time, in an order in which indexes
 * never go back; together `applyRemote` and `confirm` cover the log, from 0 or from the checkpoint that was offered,
 * without gap or overlap.
 */
export interface DocumentHooks {
  /**
   * Loads the document. Changes are held back until it resolves. Called once, when the open command was
   * answered, or after `auth` if there was no open command (`null`). `offered` resolves when the session begins: with
   * the checkpoint to begin with if there is one, which only `takesCheckpoint` makes possible.
   * @throws CheckpointUnreadable to be called again, with the whole log to come
   */
  load?(opened: OpenedDocument | null, offered: Promise<OfferedCheckpoint | null>): void | Promise<void>;
  /**
   * The save lock is held and everything before `baseIndex` was delivered: returns all local changes that
   * are not confirmed, rebased so that the first belongs at `baseIndex`, or null if there is nothing to
   * save. A batch returned earlier and not confirmed since is part of this: it was not stored.
   */
  takeBatch?(baseIndex: number): TakenBatch | null;
  /** Changes of others, the first at `fromIndex`. With own changes unconfirmed: rebase them. */
  applyRemote?(changes: readonly LoggedChange[], fromIndex: number): void;
  /** The first `count` unconfirmed changes of the batch taken last are stored from `firstIndex` on. */
  confirm?(firstIndex: number, count: number): void;
}

/** What `auth` says about the user and the document; everything else of that message is the client's. */
export interface DocumentAuth {
  user: { id: string; username?: string; firstname?: string; lastname?: string; customerId?: string };
  permissions?: Record<string, unknown>;
  /** `c` is `open` and `id`, `userid` are filled in where absent. Without it nothing is opened. */
  openCmd?: Partial<OpenCommand>;
  documentCallbackUrl?: string;
  editorType?: AuthRequest['editorType'];
  mode?: string;
  coEditingMode?: string;
  lang?: string;
  encrypted?: boolean;
  timezoneOffset?: number;
  /** Every change is to be in the storage within this time, seconds; a Quire extension. */
  quireStoreWithinS?: number;
}

export interface DocumentClientOptions {
  /** Address of the server, with any path prefix. */
  url: string;
  /** Document key. */
  key: string;
  /** `plain` is the WebSocket at `/ws/{key}`, the others are Socket.IO. A function replaces all of them. */
  transport?: 'websocket' | 'polling' | 'plain' | Dial;
  /** The integrator's signed opening token. */
  token?: string;
  /** Query parameters of a Socket.IO handshake. */
  query?: Record<string, string>;
  auth: DocumentAuth;
  hooks?: DocumentHooks;
  /** Whether a new session may begin with a checkpoint and the changes after it; asked whenever one is opened. */
  takesCheckpoint?: () => boolean;
  reconnect?: Partial<ReconnectOptions>;
  /** How long the user has been idle, milliseconds; asked when the server is about to end idle sessions. */
  idleTimeMs?: () => number;
  clock?: Clock;
}
