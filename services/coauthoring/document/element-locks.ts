import {
  type Block,
  CellBlockSubType,
  CellBlockType,
  type CellRange,
  type ExcelInfo,
  isCellBlock,
  type Lock,
  lockKey,
  type RecalcElement,
} from '../../../client/protocol/index.ts';
import { conflicts, wantedBlocks } from './lock-rules.ts';

/**
 * The most element locks that one user may hold in a document: far more than an editor asks for, and far too few to
 * harm.
 */
const maxLocksPerUser = 20_000;
/** The most that the locks of one user may take in messages, characters: all of them go with one save. Few are not counted. */
const maxCharactersPerUser = 3_000_000;
const fewLocks = 500;
/** Refusals of one connection that are remembered, the newest: an editor waits for the answer to one request. */
const maxRefusals = 100;
/** What stands around a block in the JSON of its lock. */
const aroundBlock = 100;

/**
 * A refusal that a client received as a lock of somebody else under the key it asked for, so that it does not wait for
 * an answer that never comes. It is taken back when the one who really holds the element lets go.
 */
export interface Refusal {
  connectionId: string;
  lock: Lock;
}

/**
 * The element locks of a document by lock key. Invariant (I4): no two locks of different users conflict by the rules of
 * the document's editor type.
 */
export interface LockTable {
  readonly locks: Readonly<Record<string, Lock>>;
  readonly refusals: readonly Refusal[];
}

export const noLocks: LockTable = { locks: {}, refusals: [] };

export interface LockRequest {
  connectionId: string;
  userId: string;
  editorType: number;
  blocks: readonly Block[];
  nowMs: number;
}

/**
 * `refused` is what to show the asker under the first key it asked for: a lock of the one who is in the way. It is null
 * when nothing was asked for.
 */
export type LockOutcome = { granted: true } | { granted: false; refused: { key: string; lock: Lock } | null };

/** Grants all the blocks of a request or none of them. */
export function acquireLocks(
  state: LockTable,
  request: LockRequest,
): { state: LockTable; outcome: LockOutcome } {
  const { blocks, userId, nowMs, connectionId } = request;
  const [first] = blocks;
  if (first === undefined) return { state, outcome: { granted: false, refused: null } };
  const inTheWay = whoIsInTheWay(state, request);
  if (inTheWay !== null) {
    const key = lockKey(first);
    const lock: Lock = { time: nowMs, user: inTheWay, block: first };
    return {
      state: { ...state, refusals: withRefusal(state.refusals, { connectionId, lock }) },
      outcome: { granted: false, refused: { key, lock } },
    };
  }
  const granted = blocks.map((block) => [lockKey(block), { time: nowMs, user: userId, block }] as const);
  return {
    state: { ...state, locks: { ...state.locks, ...Object.fromEntries(granted) } },
    outcome: { granted: true },
  };
}

/** Adds a refusal in place of one of the same key, and forgets the oldest ones of a connection with very many. */
function withRefusal(refusals: readonly Refusal[], added: Refusal): Refusal[] {
  const key = lockKey(added.lock.block);
  const isOwn = ({ connectionId }: Refusal) => connectionId === added.connectionId;
  const kept = refusals.filter((one) => !isOwn(one) || lockKey(one.lock.block) !== key);
  const forgotten = new Set(kept.filter(isOwn).slice(0, 1 - maxRefusals));
  return [...kept.filter((one) => !forgotten.has(one)), added];
}

/** The user whose lock a request runs into, nobody's name when the asker would hold too many, or null. */
function whoIsInTheWay(state: LockTable, { blocks, userId, editorType }: LockRequest): string | null {
  const conflictsWithAny = wantedBlocks(editorType, blocks);
  const own: Block[] = [];
  for (const key in state.locks) {
    const held = state.locks[key]!;
    if (held.user === userId) own.push(held.block);
    else if (conflictsWithAny(key, held.block)) return held.user;
  }
  return isTooMuch([...own, ...blocks]) ? '' : null;
}

/** Whether one user would hold too many locks, or too large ones. */
function isTooMuch(blocks: readonly Block[]): boolean {
  if (blocks.length > maxLocksPerUser) return true;
  if (blocks.length <= fewLocks) return false;
  const sizeOf = (block: Block) =>
    typeof block === 'string' ? 2 * block.length : JSON.stringify(block).length;
  const characters = blocks.reduce((sum, block) => sum + aroundBlock + sizeOf(block), 0);
  return characters > maxCharactersPerUser;
}

/** Frees every lock of a user. `lifted` are the refusals that clients received because of them. */
export function releaseLocks(
  state: LockTable,
  userId: string,
): { state: LockTable; released: Lock[]; lifted: Refusal[] } {
  const entries = Object.entries(state.locks);
  const released = entries.filter(([, lock]) => lock.user === userId).map(([, lock]) => lock);
  const lifted = state.refusals.filter((refusal) => refusal.lock.user === userId);
  if (released.length === 0 && lifted.length === 0) return { state, released, lifted };
  const locks = entries.filter(([, lock]) => lock.user !== userId);
  const refusals = state.refusals.filter((refusal) => refusal.lock.user !== userId);
  const isEmpty = locks.length === 0 && refusals.length === 0;
  return {
    state: isEmpty ? noLocks : { locks: Object.fromEntries(locks), refusals },
    released,
    lifted,
  };
}

/**
 * Puts locks of somebody back into the table from which they have disappeared without being released. Those that others
 * have taken meanwhile are lost.
 */
export function putBackLocks(
  state: LockTable,
  held: readonly Lock[],
  editorType: number,
): { state: LockTable; lost: Lock[] } {
  const lost: Lock[] = [];
  let locks = state.locks;
  for (const lock of held) {
    const key = lockKey(lock.block);
    if (locks[key]?.user === lock.user) continue;
    const others = Object.values(locks).filter(({ user }) => user !== lock.user);
    if (others.some(({ block }) => conflicts(editorType, lock.block, block))) lost.push(lock);
    else locks = { ...locks, [key]: lock };
  }
  return { state: locks === state.locks ? state : { ...state, locks }, lost };
}

/** Frees some locks. `lifted` are the refusals that clients received because of users who hold none any more by it. */
export function freeLocks(
  state: LockTable,
  isFreed: (lock: Lock) => boolean,
): { state: LockTable; lifted: Refusal[] } {
  const entries = Object.entries(state.locks);
  const released = Object.values(state.locks).filter(isFreed);
  if (released.length === 0) return { state, lifted: [] };
  const kept = entries.filter(([, lock]) => !isFreed(lock));
  const holders = new Set(kept.map(([, { user }]) => user));
  const freed = new Set(released.map(({ user }) => user).filter((user) => !holders.has(user)));
  const lifted = state.refusals.filter(({ lock }) => freed.has(lock.user));
  const refusals = state.refusals.filter(({ lock }) => !freed.has(lock.user));
  return { state: { locks: Object.fromEntries(kept), refusals }, lifted };
}

/** Forgets what a connection that is gone had been refused. */
export function dropRefusals(state: LockTable, connectionId: string): LockTable {
  if (!state.refusals.some((refusal) => refusal.connectionId === connectionId)) return state;
  return { ...state, refusals: state.refusals.filter((refusal) => refusal.connectionId !== connectionId) };
}

/** `_recalcType` of an inserted row or column. */
const inserted = 1;

/**
 * Moves the range locks of everybody but the saver by the rows and columns that a save inserted and removed, as every
 * client does with the broadcast (co-authoring protocol, section 11.5). Nobody is notified.
 */
export function shiftLocks(table: LockTable, info: ExcelInfo, saver: string): LockTable {
  const shift = (lock: Lock): Lock =>
    lock.user === saver ? lock : { ...lock, block: shifted(lock.block, info) };
  return {
    ...table,
    locks: Object.fromEntries(Object.entries(table.locks).map(([key, lock]) => [key, shift(lock)])),
  };
}

function shifted(block: Block, { indexCols, indexRows }: ExcelInfo): Block {
  if (!isCellBlock(block) || block.type !== CellBlockType.range) return block;
  const { insertColumns, insertRows } = CellBlockSubType;
  if (block.subType === insertColumns || block.subType === insertRows) return block;
  const range = block.rangeOrObjectId;
  if (typeof range !== 'object' || range === null) return block;
  const columns = indexCols?.[block.sheetId]?._arrElements ?? [];
  const rows = indexRows?.[block.sheetId]?._arrElements ?? [];
  const moved: CellRange = {
    c1: positionAfter(columns, range.c1),
    c2: positionAfter(columns, range.c2),
    r1: positionAfter(rows, range.r1),
    r2: positionAfter(rows, range.r2),
  };
  return { ...block, rangeOrObjectId: moved };
}

/** The elements are walked from the last to the first; those the saver had saved before do not count again. */
function positionAfter(elements: readonly RecalcElement[], position: number): number {
  return elements
    .filter((element) => element.m_bIsSaveIndex !== true)
    .reduceRight(
      (at, element) => (at < element._position ? at : at + (element._recalcType === inserted ? 1 : -1)),
      position,
    );
}
