import { sendHistory } from './history.ts';
import { isEditor, type Member, participantOf } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';

/** What a newcomer's `auth` asked for, beyond being let in. */
export interface Newcomer {
  member: Member;
  acknowledgesHistory: boolean;
  /** Sends the `auth` reply; called once the history has gone out. */
  welcome: () => Promise<void>;
}

/**
 * Lets newcomers in. A lone editor may rewrite changes it has saved (undo); before a second editor is given the history,
 * the first must have finished doing so. Until then every newcomer is parked, however many come. A first editor who
 * stays silent is not punished for it: the newcomers are let in, and from then on what they were given is final.
 */
export class Admission {
  readonly #document: OpenDocument;
  readonly #run: (task: () => Promise<void>) => void;
  #parked: Newcomer[] = [];
  /** Connection id of the editor who has to answer, while newcomers are parked. */
  #gateKeeper: Member | null = null;
  #watchdog: NodeJS.Timeout | null = null;

  /** `run` puts work in line with the document's other messages. */
  constructor(document: OpenDocument, run: (task: () => Promise<void>) => void) {
    this.#document = document;
    this.#run = run;
  }

  /** Takes a member in that is registered already. Returns whether it has to wait for the first editor. */
  async admit(newcomer: Newcomer): Promise<boolean> {
    const { member } = newcomer;
    if (member.view) {
      if (member.live) await this.#begin(newcomer);
      else await this.#finish(newcomer);
      return false;
    }
    const others = this.#document.editors().filter((one) => one !== member && one.state !== 'waiting');
    if (!this.#gateKeeper && others.length === 1) this.#closeGate(others[0]!);
    if (!this.#gateKeeper) {
      await this.#begin(newcomer);
      return false;
    }
    member.state = 'waiting';
    this.#parked.push(newcomer);
    send(member, { type: 'waitAuth', lockDocument: participantOf(this.#gateKeeper) });
    return true;
  }

  /** The first editor has finished with its history, or is gone: lets everybody in who waits. */
  async release(by: Member): Promise<void> {
    if (this.#gateKeeper?.author.uniqueId === by.author.uniqueId) await this.#openGate();
  }

  /** The first editor is still at it: it gets more time. */
  sawActivity(by: Member): void {
    if (this.#gateKeeper?.author.uniqueId === by.author.uniqueId) this.#startWatchdog();
  }

  /** A parked member went away. */
  forget(member: Member): void {
    this.#parked = this.#parked.filter((newcomer) => newcomer.member !== member);
  }

  stop(): void {
    if (this.#watchdog) clearTimeout(this.#watchdog);
    this.#watchdog = null;
  }

  #closeGate(keeper: Member): void {
    this.#gateKeeper = keeper;
    this.#startWatchdog();
  }

  async #openGate(): Promise<void> {
    this.stop();
    this.#gateKeeper = null;
    const parked = this.#parked;
    this.#parked = [];
    for (const newcomer of parked) await this.#begin(newcomer);
  }

  #startWatchdog(): void {
    this.stop();
    this.#watchdog = setTimeout(
      () => this.#run(() => this.#openGate()),
      this.#document.ports.times.historyGateMs,
    );
  }

  /** Gives a newcomer the history; new changes reach it from here on, and it sorts them by index. */
  async #begin(newcomer: Newcomer): Promise<void> {
    const document = this.#document;
    const { member } = newcomer;
    const { endIndex } = document;
    member.state = 'joining';
    if (isEditor(member)) document.historyFloor = endIndex;
    if (endIndex === 0) return this.#finish(newcomer);
    sendHistory(document, member, endIndex, newcomer.acknowledgesHistory).then(
      (complete) => {
        if (complete) this.#run(() => this.#finish(newcomer));
        else member.peer.interrupt('the history was not acknowledged in time');
      },
      (error: unknown) => member.peer.interrupt('the history could not be read', error),
    );
  }

  async #finish({ member, welcome }: Newcomer): Promise<void> {
    if (!this.#document.members.has(member.peer.id) || member.state === 'closed') return;
    member.state = 'active';
    await welcome();
  }
}
