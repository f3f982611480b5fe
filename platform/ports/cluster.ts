import type { Lock } from '../../client/protocol/index.ts';

export type { Lock } from '../../client/protocol/index.ts';

/**
 * The id of a node: its name, and six bytes in hexadecimal digits that no other has, also none of the same name or of an earlier
 * start.
 */
export const nodeIdOf = (name: string, unique: Buffer): string => `${name}.${unique.toString('hex')}`;

/** What operators call a node; ids of earlier versions are their own names. */
export const nodeNameOf = (nodeId: string): string => nodeId.replace(/\.[0-9a-f]{12}$/, '');

/** Who is in a document on a node. Times are milliseconds since 1970. */
export interface Participation {
  connectionId: string;
  /** The integrator's own id of the user. */
  userId: string;
  name: string;
  role: 'editor' | 'viewer' | 'live-viewer';
  state: 'waiting' | 'joining' | 'active' | 'closed';
  /** When the session began; it may have had other connections before. */
  sinceMs: number;
}

/** Who holds the save lock, or waits for it. */
export interface SaveLockEntry {
  connectionId: string;
  /** The unique id of the user within the document. */
  user: string;
  /** When the lock is lost; null for those who wait. */
  expiresAtMs: number | null;
}

/** What one node knows of a document that somebody is attached to there. */
interface AttachedDocument {
  key: string;
  people: Participation[];
  locks: Lock[];
  saveTurns: SaveLockEntry[];
}

/** One look at a node's health. Rates and times are of the interval before it. */
export interface HealthSample {
  atMs: number;
  connections: number;
  loopDelayP99Ms: number;
  loopDelayMaxMs: number;
  /** Time spent on garbage collection, milliseconds per second. */
  gcMsPerS: number;
  gcLongestMs: number;
  cpuPercent: number;
  rssBytes: number;
  heapUsedBytes: number;
  /** Saves that were stored and acknowledged, per second. */
  savesPerS: number;
  /** From their receipt to the acknowledgement; null when there were none. */
  savesMeanMs: number | null;
  /** An upper bound of 99 % of these times. */
  savesP99Ms: number | null;
}

/** A cache of a node. `hitRate` is from 0 to 1; null where it is not counted or nothing was asked for. */
export interface CacheState {
  name: string;
  heldBytes: number | null;
  limitBytes: number | null;
  hitRate: number | null;
}

/** How far a node is with letting everybody go. */
export interface DrainState {
  isDraining: boolean;
  /** Connections that have not been sent elsewhere yet. */
  connectionsLeft: number;
}

/** Who comes to a node: how many wait to be let in, and about how many in a second are let in or turned away. */
export interface NewcomerState {
  waiting: number;
  enteredPerS: number;
  refusedPerS: number;
}

/** What a node works with: PostgreSQL, Redis, the directory or bucket of files, and processes that take jobs. */
export type PartName = 'database' | 'redis' | 'files' | 'converters';

/** How a part is. */
export interface PartState {
  part: PartName;
  /** Null: not known, since it has not answered yet, or because it is asked through another part. */
  isUp: boolean | null;
  /** Since when it is so, milliseconds since 1970. */
  sinceMs: number;
  /** Why it is not up; null where it is. */
  reason: string | null;
  /** Whether a node without it sends people elsewhere. */
  isNeeded: boolean;
}

/** What a node says of itself. */
export interface NodeSnapshot {
  nodeId: string;
  /** What operators call it; absent in answers of earlier versions. */
  name?: string;
  host: string;
  pid: number;
  version: string;
  node: string;
  startedAtMs: number;
  nowMs: number;
  connections: Record<string, number>;
  /** Connections that have not signed in. */
  strangers: number;
  /** Who comes; absent in answers of earlier versions. */
  newcomers?: NewcomerState;
  documents: number;
  drain: DrainState;
  caches: CacheState[];
  /** How the parts are that the node works with; absent in answers of earlier versions. */
  parts?: readonly PartState[];
  /** The last minutes, the oldest first. */
  samples: HealthSample[];
}

/** What a node remembers of each moment of its history. Numbers of jobs and of unsaved changes are of all nodes, as this one saw them. */
export interface HistoryMoment {
  /** Who edits or views, on this node. */
  sessions: number;
  savesPerS: number;
  /** An upper bound of 99 % of the times from receipt to acknowledgement; null when there were no saves. */
  savesP99Ms: number | null;
  cpuPercent: number;
  rssBytes: number;
  /** The highest of the moment's samples. */
  loopDelayP99Ms: number;
  loopDelayMaxMs: number;
  gcLongestMs: number;
  heapUsedBytes: number;
  /** Of what the caches were asked for, what they had; null when they were asked for nothing. */
  cacheHitPercent: number | null;
  /** Parts of the node that do not work. */
  partsDown: number;
  /** null: the queue did not say. */
  jobsWaiting: number | null;
  jobsActive: number | null;
  jobsDelayed: number | null;
  /** How long the oldest change has not been stored at its integrator, seconds; null: the database did not say. */
  unsavedS: number | null;
  /** Jobs that ended, in a minute, on all converters. */
  jobsDonePerMin: number;
  jobsFailedPerMin: number;
  /** From the beginning of a job to its end; null when none ended. */
  jobMeanMs: number | null;
}

/** The last two hours of a node, as columns: one index is one moment. The oldest first. */
export interface NodeHistory {
  nodeId: string;
  /** What the node is called. */
  name: string;
  /** Milliseconds since 1970. */
  atMs: number[];
  moments: { [Name in keyof HistoryMoment]: HistoryMoment[Name][] };
}

/** What a node can be asked, or asked to do, by any other: what is asked, and what it answers. */
export interface Questions {
  snapshot: { asked: { samplesSinceMs: number }; answer: NodeSnapshot };
  /** What is younger than a time, milliseconds since 1970. */
  history: { asked: { sinceMs: number }; answer: NodeHistory };
  /** Of some documents, who is in. */
  people: { asked: { keys: string[] }; answer: Record<string, Participation[]> };
  /** Documents that are only looked at: their rows do not say that somebody is in. At most `limit` keys. */
  watched: { asked: { limit: number }; answer: string[] };
  document: { asked: { key: string }; answer: AttachedDocument | null };
  /** Disconnects participants, who do not come back. Answers how many there were. Without a user and a connection: all. */
  disconnect: {
    asked: { key: string; userId: string | null; connectionId: string | null; reason: string };
    answer: number;
  };
  drain: { asked: { begin: boolean }; answer: DrainState };
  /** Something was put into the outbox, or became due. */
  wakeDelivery: { asked: Record<string, never>; answer: null };
}
export type QuestionName = keyof Questions;

/** Answers questions for the own node. What it throws is answered as a failure. */
export type NodeDesk = {
  [Name in QuestionName]: (asked: Questions[Name]['asked']) => Promise<Questions[Name]['answer']>;
};

/** What came back from the nodes that were asked. */
export interface Answers<Answer> {
  answers: { nodeId: string; answer: Answer }[];
  /** Nodes that did not answer in time, or could not. */
  silent: string[];
}

/** The nodes that serve the same documents, as one of them sees them. */
export interface Cluster {
  readonly nodeId: string;

  /** From now on questions to this node are answered by this desk. */
  open(desk: NodeDesk): void;

  /** Ids of the living nodes, the own one included. */
  nodes(): Promise<readonly string[]>;

  /**
   * Asks nodes something. Resolves when all have answered, or after `deadlineMs` with the answers so far. A node that did
   * not answer may have done what it was asked to do.
   */
  ask<Name extends QuestionName>(
    name: Name,
    asked: Questions[Name]['asked'],
    to?: { nodeIds?: readonly string[]; deadlineMs?: number },
  ): Promise<Answers<Questions[Name]['answer']>>;
}

/** How long nodes are waited for unless the asker says otherwise, milliseconds. */
export const answerDeadlineMs = 3_000;
