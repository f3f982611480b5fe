import type { ServerMessage } from '../../../client/protocol/index.ts';
import type { ChangeLog, StoredBatch } from '../../../platform/ports/change-log.ts';
import type { Coordination, DocumentBus, NodeLeases } from '../../../platform/ports/coordination.ts';

import type { DocumentLifecycle } from '../../../platform/ports/document-lifecycle.ts';

import { Frame } from '../../../platform/ports/peer.ts';
import type { SessionMetrics } from '../../../platform/ports/session-metrics.ts';
import { HistoryChunks, type HistoryMemory } from './history-chunks.ts';

import { type LogEnd, type SharedLog, type StoredAtIntegrator, storedMessage } from './log-end.ts';
import { closed, followsChanges, isEditor, type Member, shutOut } from './member.ts';
import type { DocumentNotification, NodeMessage } from './node-messages.ts';
import type { OpenedAs } from './opened-as.ts';
import { editorIdsIn, noParticipants, type Participant, type ParticipantList } from './participants.ts';
import type { SessionCounts } from './session-counts.ts';

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
  /** At least so long is between two lists of participants, of however few; it is more than 0 while too many come. */
  listsApartMs: number;
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
  listsApartMs: 0,
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
  /** Whether who has a part of the rights may change documents whose changes only their editor judges. */
  trustsPartialRights: boolean;
  /** Most that the changes of one document may take, bytes. */
  maxLogBytes: number;
  /** Most that one batch may take as others are sent it, bytes. */
  maxSentBytes: number;
  /** From so much work on, which newcomers have with what was saved (`workOfChange`), a checkpoint is wanted. */
  checkpointWork: number;
  /** A checkpoint of a document is wanted before long. */
  checkpointWanted: (key: string) => void;
  times: SessionTimes;
  metrics: SessionMetrics;
  /** Counts the members of all documents of this node. */
  sessions: SessionCounts;
  /** Participants were notified of something, here or by another node. */
  notified: (key: string, notification: DocumentNotification) => void;
  /** Members have another name now, given here or on another node. */
  renamed: (members: readonly Member[]) => void;
  /** Names a place in the save path where a test may stop the process. */
  faultPoint: (name: string) => void;
}

/**
 * A document somebody is attached to on this node: who is here and elsewhere, and how far its log goes. Everybody reads
 * this state; it changes by the methods of this class alone, each of which is one transition and waits for nothing. What
 * follows from a transition (messages, further reading) is for its caller.
 *
 * Invariants:
 * - The end of the log falls only by `cut`, which raises the version, and by `logReplaced`, which takes over that of the
 *   other log; `logFound` sets both while nobody is attached.
 * - The floor falls only with a log of another life (`logFound`, `logReplaced`), or as far as the nodes agree
 *   (`logLearned`): what lies below it was given to more than one editor.
 * - The time of the newest save never falls, so that no two saves have the same; nor does that of the last cut.
 * - The size of the log is known or null, and never less than it is.
 * - The integrator has nothing that was cut: its index falls to 0 with the first cut below it.
 * - The editor type is the first participant's for as long as anybody takes part.
 */
export class OpenDocument {
  readonly key: string;
  readonly ports: DocumentPorts;
  /** The log as newcomers get it. */
  readonly history: HistoryChunks;
  /** Has what the nodes share looked at and put right before long. */
  readonly resync: () => void;
  readonly #members = new Map<string, Member>();
  #participantList: ParticipantList = noParticipants;
  #hasOtherNodes = false;
  #othersSeen = 0;
  #editorType = 0;
  #lockRules: number | null = null;
  #isOpen = false;
  #endIndex = 0;
  #logVersion = 0;
  #lastSavedAtMs = 0;
  #historyFloor = 0;
  #logBytes: number | null = null;
  #rewrittenAtMs = 0;
  #sourceCheckedAtMs = 0;
  #openedAs: OpenedAs = { isProtected: false, isJudged: true };
  #stored: StoredAtIntegrator = { index: 0, timeMs: 0, refusedSinceMs: null };

  constructor(key: string, ports: DocumentPorts, resync: () => void) {
    this.key = key;
    this.ports = ports;
    this.resync = resync;
    this.history = new HistoryChunks(key, ports.log, ports.historyMemory, ports.metrics);
  }

  /** The id of this node among those that serve documents. */
  get nodeId(): string {
    return this.ports.nodes?.leases.nodeId ?? '';
  }

  /** Who is attached on this node, by connection id, in the order in which they came. */
  get members(): ReadonlyMap<string, Member> {
    return this.#members;
  }

  /** What the nodes share of who takes part, as this one knows it. */
  get participantList(): ParticipantList {
    return this.#participantList;
  }

  /** Who takes part on any node, as this one knows it. */
  get participants(): readonly Participant[] {
    return this.#participantList.present;
  }

  get editorType(): number {
    return this.#editorType;
  }

  /** The type of editor by whose rules locks conflict: that of the file, not of who came first, where the file says it. */
  get lockRules(): number {
    return this.#lockRules ?? this.#editorType;
  }

  /** Whether the document is in state `open`: its base is there and changes may be appended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The number of changes in the log. Every member here who follows changes was sent all of these. */
  get endIndex(): number {
    return this.#endIndex;
  }

  /** Rises with whatever is taken out of the log. */
  get logVersion(): number {
    return this.#logVersion;
  }

  /** The time of the newest save: the next one's is later. */
  get lastSavedAtMs(): number {
    return this.#lastSavedAtMs;
  }

  /** Changes below this index have been given to more than one editor and can no longer be rewritten. */
  get historyFloor(): number {
    return this.#historyFloor;
  }

  /** About how much text the changes in the log have, bytes, never less; null when nobody has asked yet. */
  get logBytes(): number | null {
    return this.#logBytes;
  }

  /** When changes were last taken out of the log that live viewers may have been shown, as far as is known. */
  get rewrittenAtMs(): number {
    return this.#rewrittenAtMs;
  }

  /** When the host of the source was last asked whether the file has changed. */
  get sourceCheckedAtMs(): number {
    return this.#sourceCheckedAtMs;
  }

  /** What the integrator has confirmed to have: so many changes of the log, since then. */
  get stored(): StoredAtIntegrator {
    return this.#stored;
  }

  /** How many are attached here, or take part on any node, if those are more. */
  get connections(): number {
    return Math.max(this.#members.size, this.participants.length);
  }

  /** Whether other nodes serve the document, as far as is known. */
  get hasOtherNodes(): boolean {
    return this.#hasOtherNodes;
  }

  /** Whether somebody takes part, or follows, on other nodes, as far as is known. */
  get isElsewhere(): boolean {
    const { nodeId } = this;
    return this.#hasOtherNodes || this.participants.some((one) => one.nodeId !== nodeId);
  }

  /** What is known here of the log. */
  get knownEnd(): LogEnd {
    return {
      version: this.#logVersion,
      endIndex: this.#endIndex,
      floor: this.#historyFloor,
      savedAtMs: this.#lastSavedAtMs,
    };
  }

  /** Who edits, on any node. */
  editors(): Participant[] {
    return this.participants.filter((one) => !one.view);
  }

  /** The integrator's ids of all who edit, each once. */
  editorIds(): string[] {
    return editorIdsIn(this.#participantList);
  }

  /**
   * Rises while other nodes serve the document, and when they may have without being heard. What they alone can change is as it was
   * looked up if this has not risen since.
   */
  get othersSeen(): number {
    return this.#othersSeen;
  }

  /** How many editors of this node have the log; null: nobody here takes part. */
  editorsHere(): number | null {
    let editors: number | null = null;
    for (const member of this.#members.values()) {
      if (member.state === 'closed') continue;
      editors ??= 0;
      if (isEditor(member) && followsChanges(member)) editors += 1;
    }
    return editors;
  }

  // Who is here and elsewhere.

  attached(member: Member): void {
    shutOut(member, this.#openedAs.isProtected);
    const before = this.#members.get(member.peer.id);
    if (before) this.ports.sessions.detached(before);
    this.#members.set(member.peer.id, member);
    this.ports.sessions.attached(member);
  }

  detached(connectionId: string): void {
    const member = this.#members.get(connectionId);
    if (!member) return;
    this.#members.delete(connectionId);
    this.ports.sessions.detached(member);
  }

  /** A member is out of co-editing for good and keeps its connection; `asViewer`: it may not change the document either. */
  closed(member: Member, how: { asViewer: boolean }): void {
    const isCounted = this.#members.get(member.peer.id) === member;
    if (isCounted) this.ports.sessions.detached(member);
    closed(member, how);
    if (isCounted) this.ports.sessions.attached(member);
  }

  /** Takes over who takes part now. The editor type of the first one decides how locks conflict. */
  participantsChanged(list: ParticipantList): void {
    this.#participantList = list;
    if (this.isElsewhere) this.othersMayHaveCome();
    if (list.present.length > 0) this.#editorType = list.editorType;
  }

  /** Other nodes serve the document, or may have while they were not heard. */
  othersMayHaveCome(): void {
    this.#othersSeen += 1;
  }

  /** Somebody comes with this type of editor. It counts if nobody is here. */
  editorTypeAsked(editorType: number): void {
    if (this.#members.size === 0) this.#editorType = editorType;
  }

  // The document in the database.

  /** The source is opened and changes are taken, or not any more. */
  openChanged(isOpen: boolean): void {
    this.#isOpen = isOpen;
  }

  /** The type of the file says by which rules locks conflict; null: it leaves it open. */
  lockRulesKnown(editorType: number | null): void {
    this.#lockRules = editorType;
  }

  /** It is known what the document is to the people in it. */
  openedAs(openedAs: OpenedAs): void {
    this.#openedAs = openedAs;
    for (const member of this.#members.values()) shutOut(member, openedAs.isProtected);
  }

  /** Whether a member may change the document now. Every message that changes something, or has it saved, is judged by this. */
  mayChange(member: Member): boolean {
    const isJudged = this.#openedAs.isJudged || this.ports.trustsPartialRights;
    const isIn = isEditor(member) && member.state === 'active' && !member.isShutOut;
    return isIn && (isJudged || member.author.stamp?.may === undefined);
  }

  /** The model of ours that the changes of the document are made in; null: another one, or none yet. */
  get model(): string | null {
    return this.#openedAs.model ?? null;
  }

  /** The host of the source was asked whether the file has changed. */
  sourceChecked(atMs: number): void {
    this.#sourceCheckedAtMs = atMs;
  }

  /** The integrator has this of the document. */
  storedChanged(stored: StoredAtIntegrator): void {
    this.#stored = stored;
  }

  // The log.

  /** Nobody was attached here: the log is as the database says. */
  logFound({ version, endIndex }: Pick<LogEnd, 'version' | 'endIndex'>): void {
    this.history.keepOnly(version);
    if (endIndex < this.#historyFloor) this.#historyFloor = 0;
    this.#endIndex = endIndex;
    this.#logVersion = version;
  }

  /** A batch was stored that follows on the end of the log. `characters`: what of it was not added to the size before. */
  appended({ nextIndex, savedAtMs }: Pick<StoredBatch, 'nextIndex' | 'savedAtMs'>, characters: number): void {
    this.#endIndex = nextIndex;
    this.#savedAt(savedAtMs);
    if (this.#logBytes !== null) this.#logBytes += characters;
  }

  /** The log was read to this end. */
  readTo({ endIndex, savedAtMs }: Pick<LogEnd, 'endIndex' | 'savedAtMs'>): void {
    this.#endIndex = endIndex;
    this.#savedAt(savedAtMs);
    this.#logBytes = null;
  }

  /** Everything from an index on was taken out of the log. Returns whether the integrator has changes that are gone. */
  cut(fromIndex: number): boolean {
    this.#logVersion += 1;
    this.#endIndex = fromIndex;
    this.#logBytes = null;
    this.history.cutFrom(fromIndex);
    const isStoredCut = fromIndex < this.#stored.index;
    if (isStoredCut) this.#stored = { ...this.#stored, index: 0 };
    return isStoredCut;
  }

  /**
   * The log is another than the one that was known. What was given out below the floor is unchanged, unless the log
   * ends below it. Returns from which index on changes may be others now, and whether the integrator has changes that
   * are gone.
   */
  logReplaced({ version, endIndex }: Pick<LogEnd, 'version' | 'endIndex'>): {
    fromIndex: number;
    isStoredCut: boolean;
  } {
    if (endIndex < this.#historyFloor) this.#historyFloor = 0;
    const fromIndex = Math.min(this.#historyFloor, this.#endIndex);
    const isStoredCut = this.cut(fromIndex);
    this.history.forget();
    this.#logVersion = version;
    return { fromIndex, isStoredCut };
  }

  /** Everything below an index has been given to more than one editor. */
  givenOut(belowIndex = this.#endIndex): void {
    this.#historyFloor = belowIndex;
  }

  /** The changes in the log take this much, bytes; null: it is to be looked up. */
  sizeChanged(bytes: number | null): void {
    this.#logBytes = bytes;
  }

  /** Live viewers may have been shown what was taken out of the log. */
  shownChangesCut(atMs: number): void {
    this.#rewrittenAtMs = Math.max(this.#rewrittenAtMs, atMs);
  }

  /** This is what the nodes know of the log together. */
  logLearned({ nodes, floor, rewrittenAtMs, savedAtMs }: SharedLog): void {
    const { nodeId } = this;
    this.#hasOtherNodes = Object.keys(nodes).some((one) => one !== nodeId);
    if (this.#hasOtherNodes) this.othersMayHaveCome();
    this.#historyFloor = floor;
    this.shownChangesCut(rewrittenAtMs);
    this.#savedAt(savedAtMs);
  }

  #savedAt(atMs: number): void {
    this.#lastSavedAtMs = Math.max(this.#lastSavedAtMs, atMs);
  }

  // Messages, to other nodes and to clients.

  /**
   * Makes a step of what the nodes share. When it fails, work here goes on, and it is made up for when coordination
   * answers again. Returns undefined in that case.
   */
  async bestEffort<Result>(step: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!this.ports.nodes) throw error;
      this.resync();
      return undefined;
    }
  }

  /** Publishes a message to the other nodes that serve the document. */
  publish(message: NodeMessage): void {
    this.ports.nodes?.bus.publish(this.key, JSON.stringify(message));
  }

  /** Sends a message to those members here. */
  broadcast(message: ServerMessage, to: (member: Member) => boolean): void {
    let frame: Frame | undefined;
    for (const member of this.#members.values()) {
      if (!to(member)) continue;
      frame ??= Frame.of(message);
      member.peer.send(frame);
    }
  }

  /** Sends everybody who is in what the integrator has of the document; others learn it when they join. */
  broadcastStored(): void {
    this.broadcast(
      { type: 'quireStored', ...storedMessage(this.#stored) },
      (member) => member.state === 'active' || member.state === 'joining',
    );
  }
}

/** Sends a message to one member. */
export function send(member: Member, message: ServerMessage): void {
  member.peer.send(Frame.of(message));
}
