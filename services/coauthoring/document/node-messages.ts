import type { ChatMessage, LockMap, ReleasedLock, ServerMessage } from '../../../client/protocol/index.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';
import type { LogEnd, StoredAtIntegrator } from './log-end.ts';
import type { OpenedAs } from './opened-as.ts';

/** Changes that were stored, with what their receivers get beside them. */
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

/** What participants on all nodes are notified of, by the node that learns of it first. */
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
  /** The file of the document is another one: those who look at the old one are sent away. */
  | { t: 'source-changed' };

/**
 * What the nodes that serve a document publish to each other. Each is a hint at what the log and the shared values hold. The tags
 * are those of earlier versions, beside which a node must work during an upgrade: `turn` is the save lock, `company` are the
 * participants.
 */
export type NodeMessage =
  | StoredMessage
  /** Everything from an index on was taken out of the log, or it was found to end there. */
  | { t: 'cut'; version: number; fromIndex: number }
  /** A connection holds the save lock, once it has all up to this end; null: the end has to be read from the log. */
  | { t: 'turn'; connectionId: string; end: LogEnd | null }
  | { t: 'locked'; locks: LockMap }
  | {
      t: 'unlocked';
      locks: readonly ReleasedLock[];
      lifted: readonly { connectionId: string; lock: ReleasedLock }[];
    }
  /** Who takes part has changed; `about` itself is not sent it. */
  | { t: 'company'; about: string | null; waitAuth: boolean }
  /** Said now and then by nodes that know of others: a node that does not know of them looks. */
  | { t: 'here' }
  /** The sessions of these connections have moved to others. */
  | { t: 'moved'; connectionIds: readonly string[] }
  | { t: 'renamed'; userId: string; name: string }
  | { t: 'chat'; message: ChatMessage }
  | { t: 'cursor'; message: Extract<ServerMessage, { type: 'cursor' }>['messages'][number] }
  /** The source is opened: changes are taken. */
  | { t: 'opened'; as?: OpenedAs }
  | DocumentNotification;

/** A batch that is larger is not sent along but read from the log by the nodes that need it, characters. */
export const largestBatchSentAlong = 64 * 1024;
