import { sendHistory } from './history.ts';
import { entered, isEditor, type Member } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';
import { type Participant, participantMessage } from './participants.ts';
import type { Presence } from './presence.ts';
import type { SaveLock } from './save-lock.ts';

/** The document after the first changes of its log: where it can be fetched. */
export interface OfferedCheckpoint {
  index: number;
  url: string;
}

/** So many times the patience with a silent first editor newcomers wait at most, also for one who goes on saving. */
const longestWait = 3;

/** What a newcomer's `auth` asked for, beyond being let in. */
export interface Newcomer {
  member: Member;
  acknowledgesHistory: boolean;
  /** Looks for a checkpoint of the log as it is now; null: the newcomer wants the whole log. */
  findCheckpoint: (() => Promise<OfferedCheckpoint | null>) | null;
  /** Sends the `auth` reply; called once the history has gone out. */
  welcome: () => Promise<void>;
}

/**
 * Lets newcomers in. A lone editor may still rewrite changes it has saved (undo); before a second editor is given the
 * history, the first must have finished doing so. Until then every newcomer waits, on any node. When the first editor
 * stays silent, or takes too long, the newcomers are let in all the same, and from then on what they were given is final.
 */
export class Admission {
  readonly #document: OpenDocument;
  readonly #presence: Presence;
  readonly #saveLock: SaveLock;
  readonly #run: (task: () => Promise<void>) => void;
  #parked: Newcomer[] = [];
  #watchdog: NodeJS.Timeout | null = null;
  /** When they are let in at the latest, in the time of `performance.now()`. */
  #dueMs = 0;

  /** `run` puts work in line with the document's other messages. */
  constructor(
    document: OpenDocument,
    presence: Presence,
    saveLock: SaveLock,
    run: (task: () => Promise<void>) => void,
  ) {
    this.#document = document;
    this.#presence = presence;
    this.#saveLock = saveLock;
    this.#run = run;
  }

  /** Takes a member in that is registered already; `firstEditor`: for whom it has to wait. */
  async admit(newcomer: Newcomer, firstEditor: Participant | null): Promise<void> {
    const { member } = newcomer;
    if (member.view && !member.live) return this.#finish(newcomer);
    if (!firstEditor) return this.#begin(newcomer);
    entered(member, 'waiting');
    if (this.#parked.length === 0) {
      this.#dueMs = performance.now() + longestWait * this.#document.ports.times.firstEditorWaitMs;
    }
    this.#parked.push(newcomer);
    if (!this.#watchdog) this.#startWatchdog();
    send(member, { type: 'waitAuth', lockDocument: participantMessage(firstEditor) });
  }

  /** The first editor has finished with its history: lets everybody in who waits for it. */
  async release(by: Member): Promise<void> {
    await this.#admitWaiting(by.author.uniqueId);
  }

  /** The first editor, by its unique user id, is still at it: it gets more time. */
  sawActivity(by: string): void {
    if (this.#watchdog && this.#document.participantList.gateKeeper?.uniqueId === by) this.#startWatchdog();
  }

  /** A parked member went away. */
  forget(member: Member): void {
    this.#parked = this.#parked.filter((newcomer) => newcomer.member !== member);
  }

  /** Lets those in who need not wait any more, by what is known of the participants now. */
  async letIn(): Promise<void> {
    if (this.#parked.length === 0) return;
    const waiting = new Set(
      this.#document.participants.filter(({ waits }) => waits).map(({ connectionId }) => connectionId),
    );
    const free = this.#parked.filter(({ member }) => !waiting.has(member.peer.id));
    this.#parked = this.#parked.filter((newcomer) => !free.includes(newcomer));
    if (this.#parked.length === 0) this.stop();
    for (const newcomer of free) await this.#begin(newcomer);
  }

  stop(): void {
    if (this.#watchdog) clearTimeout(this.#watchdog);
    this.#watchdog = null;
  }

  async #admitWaiting(editorId: string | null): Promise<void> {
    const isOpened = await this.#presence.admitWaiting(editorId);
    if (isOpened) this.#presence.tellOthers(null, false);
    await this.letIn();
  }

  #startWatchdog(): void {
    this.stop();
    this.#watchdog = setTimeout(
      () => this.#run(() => this.#admitWaiting(null)),
      Math.min(this.#document.ports.times.firstEditorWaitMs, this.#dueMs - performance.now()),
    );
  }

  /** Gives a newcomer the history; new changes reach it from here on, and it sorts them by index. */
  async #begin(newcomer: Newcomer): Promise<void> {
    const document = this.#document;
    const { member } = newcomer;
    entered(member, 'joining');
    if (!(await this.#saveLock.share(member))) return;
    const { endIndex } = document;
    if (isEditor(member) && !member.isShutOut) document.givenOut();
    if (endIndex === 0 || member.isShutOut) return this.#finish(newcomer);
    const begun = await this.#beginLog(newcomer);
    if (begun === null) return;
    const unknown = { firstIndex: begun, endIndex };
    sendHistory(document, member, unknown, newcomer.acknowledgesHistory).then(
      (complete) => {
        if (complete) this.#run(() => this.#finish(newcomer));
        else member.peer.interrupt('the history was not acknowledged in time');
      },
      (error: unknown) => member.peer.interrupt('the history could not be read', error),
    );
  }

  /** Where the changes begin that a newcomer is to be given, which is sent to it; null when that cannot be looked up. */
  async #beginLog({ member, findCheckpoint }: Newcomer): Promise<number | null> {
    if (!findCheckpoint) return 0;
    try {
      const checkpoint = await findCheckpoint();
      if (!checkpoint) return 0;
      send(member, { type: 'quireCheckpoint', ...checkpoint });
      return checkpoint.index;
    } catch (error) {
      member.peer.interrupt('checkpoints could not be looked up', error);
      return null;
    }
  }

  async #finish({ member, welcome }: Newcomer): Promise<void> {
    if (!this.#document.members.has(member.peer.id) || member.state === 'closed') return;
    entered(member, 'active');
    await welcome();
  }
}
