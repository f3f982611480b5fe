import type { ServerMessage } from '../../../client/protocol/index.ts';
import type { ChangeLog } from '../../../platform/ports/change-log.ts';
import type { Coordination } from '../../../platform/ports/coordination.ts';
import type { DocumentBus } from '../../../platform/ports/document-bus.ts';
import type { DocumentLifecycle } from '../../../platform/ports/document-lifecycle.ts';
import type { NodeLeases } from '../../../platform/ports/node-leases.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import type { SessionMetrics } from '../../../platform/ports/session-metrics.ts';
import { HistoryChunks } from './history-chunks.ts';
import type { HistoryMemory } from './history-memory.ts';
import { type LogEnd, type StoredAtIntegrator, storedMessage } from './log-end.ts';
import { followsChanges, isEditor, type Member } from './member.ts';
import type { DocumentNotification, NodeMessage } from './node-messages.ts';
import {
  editorIdsIn,
  noParticipants,
  type Participant,
  type Participants,
  participantMessage,
} from './participants.ts';

/** Times of a document's session, milliseconds. */
export interface SessionTimes {
  /** A save lock is lost after this long without a batch. */
  saveLeaseMs: number;
  /** A queued `isSaveLock` is refused after this long; clients wait 10 s for their answer. */
  saveLockAnswerMs: number;
  /** How long newcomers wait for a silent first editor before they are let in. */
  firstEditorWaitMs: number;
  /** How long a part of the history may stay unacknowledged. */
  historyAckMs: number;
  /** How long the changes of an editor who is alone are kept from live viewers, in case they are taken back. */
  viewerHoldMs: number;
  /** How often it is made sure that nothing was missed of what other nodes did, where there are others. */
  lookAgainMs: number;
  /** By then who got locks back is among those who take part, or never will be. */
  comingInMs: number;
  /** How soon is tried again what the nodes share, when it did not answer. */
  tryAgainMs: number;
}

export const defaultSessionTimes: SessionTimes = {
  saveLeaseMs: 60_000,
  saveLockAnswerMs: 8_000,
  firstEditorWaitMs: 10_000,
  historyAckMs: 30_000,
  viewerHoldMs: 5_000,
  lookAgainMs: 10_000,
  comingInMs: 60_000,
  tryAgainMs: 1_000,
};

/** The other servers, where documents are served by several. */
export interface Nodes {
  bus: DocumentBus;
  leases: NodeLeases;
}

export interface DocumentPorts {
  log: ChangeLog;
  coordination: Coordination;
  lifecycle: DocumentLifecycle;
  /** Null: this server is the only one. */
  nodes: Nodes | null;
  historyMemory: HistoryMemory;
  /** Most that the changes of one document may take, bytes. */
  maxLogBytes: number;
  times: SessionTimes;
  metrics: SessionMetrics;
  /** The people in a document were told of something, here or from another node. */
  notified: (key: string, notice: DocumentNotification) => void;
  /** Members have another name now, given here or on another node. */
  renamed: (members: readonly Member[]) => void;
  /** Names a place in the save path where a test may stop the process. */
  faultPoint: (name: string) => void;
}

/** A document somebody is attached to on this node: who is there, here and elsewhere, and where its log ends. */
export class OpenDocument {
  readonly key: string;
  readonly ports: DocumentPorts;
  /** Who is attached on this node, by connection id, in the order in which they came. */
  readonly members = new Map<string, Member>();
  /** Who takes part on any node, as this one knows it. */
  company: Participants = noParticipants;
  /** Whether other nodes serve the document, as far as is known. */
  hasOtherNodes = false;
  editorType = 0;
  /** Whether the document is in state `open`: its base is there and changes may be appended. */
  open = false;
  /** The number of changes in the log. Whoever follows them on this node was sent all of these. */
  endIndex = 0;
  /** When changes were last taken out of the log that live viewers may have been shown, as far as is known. */
  rewrittenAtMs = 0;
  /** Rises with whatever is taken out of the log. */
  logVersion = 0;
  /** The time of the newest save: the next one's is later. */
  lastSavedAtMs = 0;
  /** Changes below this index have been given to more than one editor and can no longer be rewritten. */
  historyFloor = 0;
  /** When the host of the source was last asked whether the file has changed. */
  sourceCheckedAtMs = 0;
  /** About how much text the changes in the log have, bytes, never less; null when nobody has asked yet. */
  logBytes: number | null = null;
  /** The log as newcomers get it. */
  readonly history: HistoryChunks;
  /** What the integrator has confirmed to have: so many changes of the log, since then. */
  stored: StoredAtIntegrator = { index: 0, timeMs: 0, refusedSinceMs: null };

  constructor(key: string, ports: DocumentPorts) {
    this.key = key;
    this.ports = ports;
    this.history = new HistoryChunks(key, ports.log, ports.historyMemory, ports.metrics);
  }

  /** The id of this node among those that serve documents. */
  get nodeId(): string {
    return this.ports.nodes?.leases.nodeId ?? '';
  }

  /** How many are attached here, or take part on any node, if those are more. */
  get connections(): number {
    return Math.max(this.members.size, this.company.present.length);
  }

  /** Whether somebody takes part, or follows, on other nodes, as far as is known. */
  get isElsewhere(): boolean {
    const { nodeId, hasOtherNodes, company } = this;
    return hasOtherNodes || company.present.some((one) => one.nodeId !== nodeId);
  }

  /** What is known here of the log. */
  get knownEnd(): LogEnd {
    const { logVersion: version, endIndex, historyFloor: floor, lastSavedAtMs: savedAtMs } = this;
    return { version, endIndex, floor, savedAtMs };
  }

  /** Who edits, on any node. */
  editors(): Participant[] {
    return this.company.present.filter((one) => !one.view);
  }

  /** The integrator's ids of all who edit, each once. */
  editorIds(): string[] {
    return editorIdsIn(this.company);
  }

  participants() {
    return this.company.present.map(participantMessage);
  }

  /** How many editors of this node have the log; null: nobody here takes part. */
  editorsHere(): number | null {
    let editors: number | null = null;
    for (const member of this.members.values()) {
      if (member.state === 'closed') continue;
      editors ??= 0;
      if (isEditor(member) && followsChanges(member)) editors += 1;
    }
    return editors;
  }

  /** Has what the nodes share looked at and put right before long. */
  repair: () => void = () => undefined;

  /**
   * Makes a step of what the nodes share whose failing must not stop what goes on here: it is made up for when they answer
   * again. Returns undefined in that case.
   */
  async bestEffort<Result>(step: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!this.ports.nodes) throw error;
      this.repair();
      return undefined;
    }
  }

  /** Tells the other nodes that serve the document. */
  say(message: NodeMessage): void {
    this.ports.nodes?.bus.say(this.key, JSON.stringify(message));
  }

  broadcast(message: ServerMessage, to: (member: Member) => boolean): void {
    let frame: Frame | undefined;
    for (const member of this.members.values()) {
      if (!to(member)) continue;
      frame ??= Frame.of(message);
      member.peer.send(frame);
    }
  }

  /** Tells everybody who is in what the integrator has of the document now; others learn it when they come in. */
  announceStored(stored: StoredAtIntegrator): void {
    this.stored = stored;
    this.broadcast(
      { type: 'quireStored', ...storedMessage(stored) },
      (member) => member.state === 'active' || member.state === 'joining',
    );
  }
}

export function send(member: Member, message: ServerMessage): void {
  member.peer.send(Frame.of(message));
}
