import type { ConversionOverview } from '../../db/conversions.ts';
import type { DocumentOverview, DocumentParticulars } from '../../db/document-overview.ts';
import type { DocumentStateName } from '../../db/document-row.ts';
import type { SaveOverview } from '../../db/save-overview.ts';

export type { HistoryMoment, NodeHistory, NodeSnapshot, PartName } from '../../platform/ports/cluster.ts';

import type {
  DrainState,
  Lock,
  NodeHistory,
  NodeSnapshot,
  Participation,
  PartName,
  SaveLockEntry,
} from '../../platform/ports/cluster.ts';
import type { Role } from './access.ts';
import type { AdminErrorCode } from './admin-error.ts';

/** What the administration's REST API answers, as its page and `quire admin` read it. Times are ISO 8601 in UTC. */

/** A value as it is read from JSON. */
export type Wire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Wire<Value[Name]> }
      : Value;

export interface ErrorAnswer {
  /** `part`: what did not answer, for `unavailable` and `unanswered`. */
  error: { code: AdminErrorCode; message: string; part?: PartName | undefined };
}

export interface SessionAnswer {
  role: Role;
  name: string;
  nodeId: string;
  version: string;
}

/** A participant of a document, and its node. */
export interface Person extends Participation {
  nodeId: string;
  nodeName: string;
}

interface SaveCounts {
  making: number;
  delivering: number;
  waiting: number;
  /** How many of the waiting or delivering ones were refused before. */
  failing: number;
  forgotten: number;
  deliveredLastHour: number;
}

/** What did not answer: PostgreSQL, the job queue (in Redis, or in PostgreSQL where there is none), other nodes, or the files. */
export type MissingSource = 'database' | 'queue' | 'nodes' | 'files';

/** Named in answers that were made of several things, of which some did not come in time. */
interface PartialResult {
  /** What did not answer within a moment: what comes from there is null, or left out. */
  missing: MissingSource[];
}

/**
 * Why the integrator lacks changes of a document: `edited` (people edit it, and nothing has failed), `closing` (its last editor
 * has left a moment ago), `making` (its file is being made), `failing` (its file cannot be made), `delivering` (the file is on its
 * way), `refused` (the integrator does not take it), `forgotten` (given up).
 */
export type UnsavedReason =
  | 'edited'
  | 'closing'
  | 'making'
  | 'failing'
  | 'delivering'
  | 'refused'
  | 'forgotten';

export interface UnsavedDocument {
  key: string;
  title: string;
  since: string;
  why: UnsavedReason;
  /** What the last attempt said that failed. */
  lastError: string | null;
  /** When it is tried again. */
  nextAttemptAt: string | null;
}

export interface OverviewAnswer extends PartialResult {
  /** Documents of which the integrator lacks changes; those that something keeps from being stored come first, then the oldest. */
  unsaved: { total: number; documents: UnsavedDocument[] } | null;
  nodeId: string;
  documents: Partial<Record<DocumentStateName, number>> | null;
  /** Since when the integrator lacks changes, of the document that waits longest. */
  unsavedSince: string | null;
  saves: SaveCounts | null;
  queue: QueueCounts | null;
  nodes: NodeSnapshot[];
  /** Nodes that did not answer: what they know is missing here. */
  silent: string[];
}

export interface DocumentsAnswer extends PartialResult {
  total: number;
  documents: (Wire<DocumentOverview> & { people: Person[] })[];
  silent: string[];
}

type DocumentInFull = Wire<Omit<DocumentParticulars, 'sourceUrl' | 'callbackUrl' | 'sourceHash'>> & {
  /** Host of the address it was fetched from, and of its callback address. */
  sourceHost: string | null;
  callbackHost: string | null;
};

export interface DocumentAnswer extends PartialResult {
  document: DocumentInFull;
  people: Person[];
  locks: Lock[];
  saveTurns: SaveLockEntry[];
  /** The newest first. */
  saves: SaveAnswer[];
  silent: string[];
}

type Hidden = 'callbackUrl' | 'resultHash' | 'changesHash' | 'sourceHash' | 'baseHash';

/** A part of a save that can be downloaded. */
export type SavePart = 'file' | 'base' | 'changes';

export type SaveAnswer = Wire<Omit<SaveOverview, Hidden>> & {
  callbackHost: string | null;
  /** The parts that are kept, and where: files in the blob store, changes there or still in the log. */
  copies: { part: SavePart; where: 'files' | 'log'; sizeBytes: number | null }[];
};

export interface SavesAnswer extends PartialResult {
  total: number;
  saves: SaveAnswer[];
  /** Documents whose last save is being made; they are on record as saves when that is done. */
  assembling: number;
}

export interface QueueCounts {
  isPaused: boolean;
  waiting: number;
  active: number;
  delayed: number;
}

export interface JobAnswer {
  id: string;
  kind: string;
  /** The document that it is for; null where it is for none. */
  key: string | null;
  state: 'waiting' | 'active' | 'delayed';
  attempts: number;
  /** When it was queued, and when a worker began with it. */
  queuedAt: string;
  startedAt: string | null;
  /** Why the last attempt failed. */
  lastError: string | null;
}

interface FailedJob {
  id: string;
  kind: string;
  failedAt: string;
  reason: string;
}

/** Whether a kind of jobs is paused. */
export interface KindAnswer {
  kind: string;
  isPaused: boolean;
}

export interface QueueAnswer extends PartialResult {
  isPaused: boolean;
  /** Of all kinds together; null when the queue does not say. */
  waiting: number | null;
  active: number | null;
  delayed: number | null;
  /** All kinds. `oldestAt`: since when the oldest job of the kind waits. */
  kinds: {
    kind: string;
    waiting: number;
    active: number;
    delayed: number;
    oldestAt: string | null;
    /** No job of it is begun; jobs that a worker takes all the same are put off (`delayed`) again and again. */
    isPaused: boolean;
  }[];
  /** If there are many, only the oldest. */
  jobs: JobAnswer[];
  /** Those that this node knows of since it started, the newest first. */
  failed: FailedJob[];
  workers: { name: string; address: string | null }[];
  conversions: Wire<ConversionOverview>[];
}

export interface NodesAnswer extends PartialResult {
  nodeId: string;
  nodes: NodeSnapshot[];
  silent: string[];
}

export interface HistoryAnswer extends PartialResult {
  nodes: NodeHistory[];
  silent: string[];
}

interface SettingAnswer {
  variable: string;
  /** The value in force; for secrets, whether they are set. */
  value: string;
  isDefault: boolean;
  isSecret: boolean;
  description: string;
}

export interface ConfigurationAnswer {
  settings: SettingAnswer[];
}

export interface DisconnectAnswer extends PartialResult {
  disconnected: number;
  silent: string[];
}

export type DrainAnswer = DrainState;

/** What became of a request to save, to redeliver or to try again. */
export interface SaveRequestAnswer {
  state: 'delivering' | 'assembling' | 'due' | 'started' | 'joined';
}
