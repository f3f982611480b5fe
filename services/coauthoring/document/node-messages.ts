import type { ChatMessage, LockMap, ReleasedLock, ServerMessage } from '../../../client/protocol/index.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';
import type { LogEnd, StoredAtIntegrator } from './log-end.ts';

/** Changes that were stored, with what their receivers are told beside them. */
export interface StoredMessage {
  t: 'stored';
  /** The version of the log they are in. */
  version: number;
  /** Without its changes where they are too large: then they are read from the log. */
  batch: Omit<StoredBatch, 'changes'> & { changes?: string };
  /** Whether the saver can still take them back. */
  isFinal: boolean;
  isLast: boolean;
  locks: readonly ReleasedLock[];
  excelAdditionalInfo: string | null;
  /** Changes below this are never taken out. */
  floor: number;
  /** Everything from here on was taken out of the log before, by this same step; null: nothing was. */
  cutFrom: number | null;
}

/** What the people in a document are told by whoever learns of it, on whatever node. */
export type DocumentNotification =
  | { t: 'refused'; sinceMs: number }
  | {
      t: 'force-save';
      message: Extract<ServerMessage, { type: 'forceSave' }>['messages'];
      stored: StoredAtIntegrator | null;
    }
  | { t: 'ended'; success: boolean; stored: StoredAtIntegrator | null }
  | { t: 'drop'; userIds: readonly string[] | null }
  /** To everybody who is attached. */
  | { t: 'everybody'; message: ServerMessage }
  /** To one connection. */
  | { t: 'connection'; connectionId: string; message: ServerMessage }
  /** The file of the document is another one: whoever looks at the old one is sent away. */
  | { t: 'source-changed' };

/** What the nodes that serve a document tell each other. Each is a hint at what the log and the cells hold. */
export type NodeMessage =
  | StoredMessage
  /** Everything from an index on was taken out of the log, or it was found to end there. */
  | { t: 'cut'; version: number; fromIndex: number }
  /** It is the turn of a connection to save, once it has all up to this end; null: the log has to be asked for it. */
  | { t: 'turn'; connectionId: string; end: LogEnd | null }
  | { t: 'locked'; locks: LockMap }
  | {
      t: 'unlocked';
      locks: readonly ReleasedLock[];
      lifted: readonly { connectionId: string; lock: ReleasedLock }[];
    }
  /** Who takes part has changed; `about` need not be told of itself. */
  | { t: 'company'; about: string | null; waitAuth: boolean }
  /** Said now and then by nodes that know of others: whoever does not know of them looks. */
  | { t: 'here' }
  /** The sessions of these connections have moved to others. */
  | { t: 'moved'; connectionIds: readonly string[] }
  | { t: 'renamed'; userId: string; name: string }
  | { t: 'chat'; message: ChatMessage }
  | { t: 'cursor'; message: Extract<ServerMessage, { type: 'cursor' }>['messages'][number] }
  /** The source is opened: changes are taken. */
  | { t: 'opened' }
  | DocumentNotification;

/** A batch that is larger is not sent along but read from the log by whoever is interested, characters. */
export const largestBatchSentAlong = 64 * 1024;
