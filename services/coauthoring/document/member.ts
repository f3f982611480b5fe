import type { Lock } from '../../../client/protocol/index.ts';
import type { Author } from '../../../platform/ports/change-log.ts';
import type { Visitor } from '../../../platform/ports/document-lifecycle.ts';
import type { Peer } from '../../../platform/ports/peer.ts';
import type { Participant } from './participants.ts';

/**
 * - `waiting`: parked while the first editor may still rewrite its history; hears nothing yet.
 * - `joining`: gets the history; new changes already reach it.
 * - `active`: in.
 * - `closed`: attached to the file, out of co-editing; gets only answers to its own requests.
 */
export type MemberState = 'waiting' | 'joining' | 'active' | 'closed';

/** What a save of this connection must know of the ones before it, to recognise a batch that was sent twice. */
export interface SaveMemory {
  /** Where the log ended when this connection took over a session whose client cannot say what it has; else null. */
  returnedToIndex: number | null;
  /** `syncChangesIndex` of the last `isSaveLock`; null after the save it was asked for. */
  claimedIndex: number | null;
  /** Where the last batch stored for this connection begins; null before the first one. */
  lastFirstIndex: number | null;
  /** Whether the last batch was part of a save that is not finished. */
  midSave: boolean;
  /** The index of the last batch that was refused because others had saved; null: none was since a batch was stored. */
  overtakenIndex: number | null;
}

/** A connection that signed in to a document. */
export interface Member {
  readonly peer: Peer;
  readonly author: Author;
  readonly sessionId: string;
  readonly sessionTimeConnectMs: number;
  readonly userIndex: number;
  /** What callbacks say of this member, and where they go. */
  readonly visitor: Visitor;
  readonly live: boolean;
  readonly chat: boolean;
  /** The integrator has said what this user is called: it may not be changed here. */
  readonly nameIsFixed: boolean;
  readonly encrypted: boolean | undefined;
  /** Told to, its client goes to another server before it gives up this connection. */
  readonly moves: boolean;
  /** Has given the password of a protected document. */
  knowsPassword: boolean;
  /** Gets nothing of what the document holds until it has given the password. Changes with {@link shutOut} alone. */
  readonly isShutOut: boolean;
  /** Changes with {@link closed} alone. */
  readonly view: boolean;
  /** Changes with {@link entered} and {@link closed} alone. */
  readonly state: MemberState;
  /** Changes with {@link remembered} alone. */
  readonly save: Readonly<SaveMemory>;
  /** When it asked for the save lock, if it has no answer yet. */
  saveLockAskedAtMs: number | null;
  /** It knows that it holds the save lock, and certainly holds it until then; 0: not known; null: it does not hold it. */
  saveLockUntilMs: number | null;
  /** Called by the acknowledgement of a part of the history; null when none is awaited. */
  historyAck: ((acknowledged: boolean) => void) | null;
}

type Changing = { -readonly [Field in 'view' | 'state' | 'isShutOut']: Member[Field] };

/** A member goes on to a state. One that is closed stays so. */
export function entered(member: Member, state: Exclude<MemberState, 'closed'>): void {
  if (member.state !== 'closed') (member as Changing).state = state;
}

/** A member is out of co-editing for good; `asViewer`: it may not change the document from now on either. */
export function closed(member: Member, { asViewer }: { asViewer: boolean }): void {
  const changing: Changing = member;
  changing.state = 'closed';
  if (asViewer) changing.view = true;
}

/** A member is kept from what the document holds, as long as it has not given the password of one that is protected. */
export function shutOut(member: Member, isProtected: boolean): void {
  (member as Changing).isShutOut = isProtected && !member.knowsPassword;
}

/** A save of a member, or its return, is to be known by the saves after it. */
export function remembered(member: Member, memory: Partial<SaveMemory>): void {
  Object.assign(member.save, memory);
}

/** Whether a member's leaving must be followed by saving: it is, or was a moment ago, allowed to change the document. */
export const isEditor = (member: Member): boolean => !member.view && member.state !== 'closed';

/** Whether a member is shown others' changes as they are saved. */
export const followsChanges = (member: Member): boolean =>
  !member.isShutOut &&
  (member.state === 'active' || member.state === 'joining') &&
  (!member.view || member.live);

/**
 * Whether these are changes that this client sent on an earlier connection and would take for somebody else's. It sends
 * them again, having had no answer, and has it then.
 */
export const awaitsAnswerTo = ({ author, save }: Member, { uniqueId }: Author): boolean =>
  save.returnedToIndex !== null && author.uniqueId === uniqueId;

/** A member as all nodes know it. */
export const participantOf = (member: Member, nodeId: string): Participant => ({
  connectionId: member.peer.id,
  nodeId,
  sessionId: member.sessionId,
  sessionTimeConnectMs: member.sessionTimeConnectMs,
  userIndex: member.userIndex,
  uniqueId: member.author.uniqueId,
  userId: member.author.userId,
  name: member.author.name,
  ...(member.nameIsFixed ? { nameIsFixed: true } : {}),
  view: member.view,
  live: member.live,
  ...(member.encrypted === undefined ? {} : { encrypted: member.encrypted }),
  waits: member.state === 'waiting',
  visitor: member.view ? null : member.visitor,
});

/** A lock that ended, as clients receive it. */
export const releasedLock = (lock: Lock) => ({ ...lock, changes: null });
