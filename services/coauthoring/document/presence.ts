import { type Member, participantOf } from './member.ts';
import type { OpenDocument } from './open-document.ts';
import {
  admitWaiting,
  enter,
  type JoinOutcome,
  type LeaveOutcome,
  leaveOwn,
  missingIn,
  movedFrom,
  type Participant,
  type ParticipantList,
  participantMessage,
  participantsValue,
  putRight,
  rename,
} from './participants.ts';

/** Up to so many people each join and leave is broadcast at once. */
const smallGroup = 4;
/**
 * In larger documents the list is broadcast at most once in so many milliseconds per person: it goes to each of them, and in a storm of
 * newcomers they come right after one another. Among ten people one may be seen a fifth of a second late.
 */
const announceApartMsPerPerson = 20;
const announceApartMsAtMost = 2_000;

/**
 * Who takes part in one document, on all nodes: each join and leave is one step of what they share, so that exactly one
 * node sees the last editor leave. When coordination does not answer, people join all the same, and the list is
 * corrected later.
 */
export class Presence {
  readonly #document: OpenDocument;
  readonly #run: (task: () => Promise<void>) => void;
  readonly #lookedUp: () => Promise<void>;
  /** Who left and could not be taken out, and who of them was on this node. */
  #owed: { isGone: (one: Participant) => boolean; own: readonly Participant[] }[] = [];
  #sent: readonly Participant[] = [];
  #sentAtMs = 0;
  #announceTimer: NodeJS.Timeout | null = null;

  /** `run` puts work in line with the document's other messages; `lookedUp`: others have changed who takes part. */
  constructor(
    document: OpenDocument,
    run: (task: () => Promise<void>) => void,
    lookedUp: () => Promise<void>,
  ) {
    this.#document = document;
    this.#run = run;
    this.#lookedUp = lookedUp;
  }

  async enter(member: Member, returns: boolean): Promise<JoinOutcome> {
    const document = this.#document;
    const newcomer = participantOf(member, document.nodeId);
    const { editorType } = document;
    const step = (list: ParticipantList, returns: boolean) => enter(list, newcomer, { returns, editorType });
    const entered = await document.bestEffort(() => this.#update((list) => step(list, returns)));
    if (entered) return entered;
    const [list, alone] = step(document.participantList, true);
    document.participantsChanged(list);
    return { ...alone, isOnlyEditor: false };
  }

  /**
   * Takes connections out; the caller clears up what each of them leaves behind. `own` are those of them that were on
   * this node.
   */
  async leave(
    isGone: (one: Participant) => boolean,
    own: readonly Participant[] = [],
  ): Promise<readonly LeaveOutcome[]> {
    const step = () => this.#update((list) => leaveOwn(list, isGone, own));
    const left = await this.#document.bestEffort(step);
    if (!left) this.#owed.push({ isGone, own });
    return left ?? [];
  }

  /** Takes out those who left when what the nodes share did not answer. */
  async leaveLate(): Promise<readonly LeaveOutcome[]> {
    const owed = this.#owed;
    if (owed.length === 0) return [];
    const left = await this.#update((list) =>
      leaveOwn(
        list,
        (one) => owed.some(({ isGone }) => isGone(one)),
        owed.flatMap(({ own }) => own),
      ),
    );
    this.#owed = this.#owed.filter((one) => !owed.includes(one));
    return left;
  }

  /** Lets in who waits, if it is for this user; null: for any user. */
  async admitWaiting(editorId: string | null): Promise<boolean> {
    const step = () => this.#update((list) => admitWaiting(list, editorId));
    return (await this.#document.bestEffort(step)) ?? false;
  }

  rename(userId: string, name: string): Promise<void> {
    return this.#update((list) => [rename(list, userId, name), undefined]);
  }

  /** Learns who is there now. */
  refresh(): Promise<void> {
    return this.#update((list) => [list, undefined]);
  }

  /** Makes what is shared say of this node's members what is so. */
  putRight(): Promise<{ left: readonly LeaveOutcome[]; wasMissing: boolean }> {
    const { nodeId, editorType } = this.#document;
    return this.#update((list) => putRight(list, nodeId, this.#own(), editorType));
  }

  /** The members of this node whose session goes on elsewhere, as far as is known here. */
  moved(): readonly Participant[] {
    const { participantList, nodeId } = this.#document;
    return movedFrom(participantList, nodeId, this.#own());
  }

  /** Broadcasts who is there now to everybody on all nodes but the one it is about (a unique user id). */
  announce(about: string | null, waitAuth: boolean): void {
    this.tellOthers(about, waitAuth);
    this.#announceHere(about, waitAuth, false);
  }

  /**
   * Tells the other nodes that the list has changed; not while everybody in it is here, as who comes to another node after that finds
   * them by the step by which they come. A list of one, or of nobody, may be all that is left of one that was lost: whose people
   * are missing puts them back.
   */
  tellOthers(about: string | null, waitAuth: boolean): void {
    const document = this.#document;
    if (document.participants.length > 1 && !document.isElsewhere) return;
    document.publish({ t: 'company', about, waitAuth });
  }

  /** Another node says that somebody joined or left: the participants are looked up and broadcast here. */
  heard(about: string | null, waitAuth: boolean): void {
    this.#announceHere(about, waitAuth, true);
  }

  /** Broadcasts here who is there, if that is not what was sent last. */
  broadcastIfChanged(): void {
    const sent = this.#sent;
    const { participants } = this.#document;
    const isSame = (one: Participant, other: Participant | undefined) =>
      one.connectionId === other?.connectionId && one.name === other.name && one.view === other.view;
    if (sent.length === participants.length && participants.every((one, at) => isSame(one, sent[at]))) return;
    this.#announceHere(null, false, false);
  }

  stop(): void {
    if (this.#announceTimer) clearTimeout(this.#announceTimer);
    this.#announceTimer = null;
  }

  /** Each list holds everybody: where many come and go, one list replaces several. */
  #announceHere(about: string | null, waitAuth: boolean, lookUp: boolean): void {
    const { participants, ports } = this.#document;
    const { length } = participants;
    const usualMs = length > smallGroup ? length * announceApartMsPerPerson : 0;
    const apartMs = Math.min(announceApartMsAtMost, Math.max(usualMs, ports.times.listsApartMs));
    const waitMs = this.#sentAtMs + apartMs - Date.now();
    if (!waitAuth && waitMs > 0) {
      this.#announceTimer ??= setTimeout(() => this.#announceNow(null, false, lookUp), waitMs);
      return;
    }
    this.#announceNow(about, waitAuth, lookUp);
  }

  #announceNow(about: string | null, waitAuth: boolean, lookUp: boolean): void {
    this.stop();
    this.#sentAtMs = Date.now();
    if (!lookUp) {
      this.#broadcast(about, waitAuth);
      return;
    }
    this.#run(async () => {
      await this.#document.bestEffort(() => this.refresh());
      this.#broadcast(about, waitAuth);
      await this.#lookedUp();
    });
  }

  #broadcast(about: string | null, waitAuth: boolean): void {
    const document = this.#document;
    this.#sent = document.participants;
    document.broadcast(
      {
        type: 'connectState',
        participantsTimestamp: Date.now(),
        participants: document.participants.map(participantMessage),
        waitAuth,
      },
      (member) =>
        (member.state === 'active' || member.state === 'joining') && member.author.uniqueId !== about,
    );
  }

  /** Who takes part on this node. */
  #own(): Participant[] {
    const { members, nodeId } = this.#document;
    const taking = [...members.values()].filter(({ state }) => state !== 'closed');
    return taking.map((member) => participantOf(member, nodeId));
  }

  async #update<Result>(
    step: (list: ParticipantList) => readonly [ParticipantList, Result],
  ): Promise<Result> {
    const document = this.#document;
    const [list, result] = await document.ports.coordination.update(
      document.key,
      participantsValue,
      (before) => {
        const [after, result] = step(before);
        return [after, [after, result] as const];
      },
    );
    document.participantsChanged(list);
    // Others may have taken this node for dead when it was not.
    if (document.ports.nodes && missingIn(list, document.nodeId, this.#own()).length > 0) document.resync();
    return result;
  }
}
