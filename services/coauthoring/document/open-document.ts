import type { ServerMessage } from '../../../client/protocol/index.ts';
import type { ChangeLog } from '../../ports/change-log.ts';
import type { Coordination } from '../../ports/coordination.ts';
import type { DocumentLifecycle } from '../../ports/document-lifecycle.ts';
import { Frame } from './frame.ts';
import { HistoryChunks } from './history-chunks.ts';
import type { HistoryMemory } from './history-memory.ts';
import { isEditor, type Member, participantOf } from './member.ts';

/** Times of a document's session, milliseconds. */
export interface SessionTimes {
  /** A save lock is lost after this long without a batch. */
  saveLeaseMs: number;
  /** A queued `isSaveLock` is refused after this long; clients wait 10 s for their answer. */
  saveLockAnswerMs: number;
  /** How long newcomers wait for a silent first editor before they are let in. */
  historyGateMs: number;
  /** How long a part of the history may stay unacknowledged. */
  historyAckMs: number;
  /** How long the changes of an editor who is alone are kept from live viewers, in case they are taken back. */
  viewerHoldMs: number;
}

export const defaultSessionTimes: SessionTimes = {
  saveLeaseMs: 60_000,
  saveLockAnswerMs: 8_000,
  historyGateMs: 10_000,
  historyAckMs: 30_000,
  viewerHoldMs: 5_000,
};

export interface DocumentPorts {
  log: ChangeLog;
  coordination: Coordination;
  lifecycle: DocumentLifecycle;
  historyMemory: HistoryMemory;
  /** Most that the changes of one document may take, bytes. */
  maxLogBytes: number;
  times: SessionTimes;
  /** Names a place in the save path where a test may stop the process. */
  faultPoint: (name: string) => void;
}

/** Up to so many people everybody is told of each coming and going at once. */
const smallCompany = 20;
/** In larger companies everybody is told at most once in so many milliseconds per person: a list costs each of them. */
const newsApartMsPerPerson = 5;
const newsApartMsAtMost = 2_000;

/** How many changes of a document's log its integrator has, and since when: else since the opening. */
export interface StoredAtIntegrator {
  index: number;
  timeMs: number;
  /** Since when it takes no file of the document; null: it took the last one, or was given none. */
  refusedSinceMs: number | null;
}

/** The same as it is sent. */
export const storedMessage = ({ index, timeMs, refusedSinceMs }: StoredAtIntegrator) => ({
  index,
  time: timeMs,
  ...(refusedSinceMs === null ? {} : { refusedSince: refusedSinceMs }),
});

/** A document somebody is attached to on this node: who is there and where its log ends. */
export class OpenDocument {
  readonly key: string;
  readonly ports: DocumentPorts;
  /** By connection id, in the order in which they came. */
  readonly members = new Map<string, Member>();
  editorType = 0;
  /** Whether the document is in state `open`: its base is there and changes may be appended. */
  open = false;
  /** The number of changes in the log. */
  endIndex = 0;
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

  #companyToldAtMs = 0;
  #companyNews: NodeJS.Timeout | null = null;

  constructor(key: string, ports: DocumentPorts) {
    this.key = key;
    this.ports = ports;
    this.history = new HistoryChunks(key, ports.log, ports.historyMemory);
  }

  editors(): Member[] {
    return [...this.members.values()].filter(isEditor);
  }

  /** The integrator's ids of all who edit, each once. */
  editorIds(): string[] {
    return [...new Set(this.editors().map((member) => member.author.userId))];
  }

  participants() {
    return [...this.members.values()].filter((member) => member.state !== 'closed').map(participantOf);
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

  /**
   * Tells everybody but the one it is about who is there now. Each list holds everybody: where many come and go, some of
   * their comings are told together, in a list that is as good as all of them.
   */
  announceParticipants(about: Member | null, waitAuth: boolean): void {
    const apartMs = Math.min(newsApartMsAtMost, this.members.size * newsApartMsPerPerson);
    const waitMs = this.#companyToldAtMs + apartMs - Date.now();
    if (waitAuth || waitMs <= 0 || this.members.size <= smallCompany) {
      this.#tellParticipants(about, waitAuth);
      return;
    }
    this.#companyNews ??= setTimeout(() => this.#tellParticipants(null, false), waitMs);
  }

  /** Stops what the document would still say by itself. */
  stop(): void {
    if (this.#companyNews) clearTimeout(this.#companyNews);
    this.#companyNews = null;
  }

  #tellParticipants(about: Member | null, waitAuth: boolean): void {
    this.stop();
    this.#companyToldAtMs = Date.now();
    this.broadcast(
      {
        type: 'connectState',
        participantsTimestamp: Date.now(),
        participants: this.participants(),
        waitAuth,
      },
      (member) =>
        (member.state === 'active' || member.state === 'joining') &&
        member.author.uniqueId !== about?.author.uniqueId,
    );
  }
}

export function send(member: Member, message: ServerMessage): void {
  member.peer.send(Frame.of(message));
}
