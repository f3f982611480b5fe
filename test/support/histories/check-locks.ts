import { byKey } from './by-key.ts';
import type { Violation } from './evidence.ts';
import { type Trace, uniqueIdAfter } from './trace.ts';

/** A block of a lock as tests use them: the name of an object, or cells of a sheet. */
interface Held {
  readonly block: unknown;
  readonly key: string;
  /** From when its client had it on record that it holds the block, until it had to take it that it does not. */
  readonly fromN: number;
  untilN: number;
  /** Where the server granted or acknowledged something this client asked for while it held the block, by numbers. */
  readonly answers: { readonly asked: number; readonly answer: number }[];
  readonly client: string;
  readonly user: string;
}

interface Cells {
  sheetId: unknown;
  rangeOrObjectId: { c1: number; r1: number; c2: number; r2: number };
  guid: string;
}

/**
 * I4: two clients never both hold conflicting locks. A client holds a block from the `getLock` (or the `auth` of a
 * session it goes on with) that names it, until it gives its locks back, hears of their release, is sent away, or loses
 * its connection; not by hearing that somebody else has it as well. Of somebody whose node was paused or cut off the server may have taken the lock back without being
 * able to say so. So it counts as holding at the same time as another one only if the server, after the other's lock
 * was granted, granted a lock or acknowledged a save that was asked for after that, on the same connection and without
 * having told of the loss before.
 */
export function checkLocks(traces: readonly Trace[]): Violation[] {
  const violations: Violation[] = [];
  const groups = byKey(traces);
  for (const [key, of] of groups) {
    const holdings = of.flatMap(holdingsOf).sort((a, b) => a.fromN - b.fromN);
    for (const [position, first] of holdings.entries()) {
      for (const second of holdings.slice(position + 1)) {
        if (second.fromN >= first.untilN) break;
        if (first.user === second.user || !conflict(first.block, second.block)) continue;
        const proof = first.answers.find(({ asked }) => asked > second.fromN);
        if (!proof) continue;
        const what = `${first.client} and ${second.client} both hold ${first.key}`;
        violations.push({ invariant: 'I4', key, what, events: [first.fromN, second.fromN, proof.answer] });
      }
    }
  }
  return violations;
}

function conflict(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  const a = one as Cells;
  const b = other as Cells;
  if (a.sheetId !== b.sheetId) return false;
  const { rangeOrObjectId: p } = a;
  const { rangeOrObjectId: q } = b;
  return p.c1 <= q.c2 && q.c1 <= p.c2 && p.r1 <= q.r2 && q.r1 <= p.r2;
}

const keyOf = (block: unknown): string => (typeof block === 'string' ? block : (block as Cells).guid);

function holdingsOf(trace: Trace): Held[] {
  const over: Held[] = [];
  let user = '';
  for (const { lines, lost } of trace.connections) {
    let held = new Map<string, Held>();
    const end = (keys: Iterable<string>, n: number) => {
      for (const key of [...keys]) {
        const one = held.get(key);
        if (!one) continue;
        one.untilN = n;
        over.push(one);
        held.delete(key);
      }
    };
    const begin = (block: unknown, n: number) => {
      const key = keyOf(block);
      if (held.has(key)) return;
      held.set(key, {
        ...{ block, key, fromN: n, untilN: Number.POSITIVE_INFINITY, answers: [] },
        ...{ client: trace.client, user },
      });
    };
    const answer = (asked: number, n: number) => {
      for (const one of held.values()) if (asked > one.fromN) one.answers.push({ asked, answer: n });
    };
    let lockAsked: number | null = null;
    let gaveBack = -1;
    const savesAsked: (number | null)[] = [];
    for (const { n, sent, message } of lines) {
      if (sent) {
        if (message.type === 'getLock') lockAsked = n;
        if (message.type === 'saveChanges') savesAsked.push(n);
        if (message.type === 'unSaveLock' || (message.type === 'unLockDocument' && message.isSave === true))
          savesAsked.push(null);
        if (message.releaseLocks === true || message.type === 'close') {
          end(held.keys(), n);
          gaveBack = n;
        }
        continue;
      }
      user = uniqueIdAfter(trace, message) ?? user;
      switch (message.type) {
        case 'getLock': {
          const locks = Object.values(message.locks as Record<string, { user: string; block: unknown }>);
          const own = locks.filter((lock) => lock.user === user);
          // What was asked for before the client gave everything back was given back with it.
          const isGivenBack = lockAsked !== null && lockAsked < gaveBack;
          if (own.length > 0 && lockAsked !== null) {
            answer(lockAsked, n);
            lockAsked = null;
          }
          if (!isGivenBack) for (const { block } of own) begin(block, n);
          break;
        }
        case 'auth': {
          const locks = Object.values(
            (message.locks ?? {}) as Record<string, { user: string; block: unknown }>,
          );
          end(held.keys(), n);
          for (const lock of locks) if (lock.user === user) begin(lock.block, n);
          break;
        }
        case 'releaseLock':
        case 'saveChanges': {
          const locks = (message.locks ?? []) as readonly { user: string; block: unknown }[];
          end(
            locks.filter((lock) => lock.user === user).map(({ block }) => keyOf(block)),
            n,
          );
          break;
        }
        case 'unSaveLock':
        case 'savePartChanges': {
          const asked = savesAsked.shift();
          if (typeof asked === 'number') answer(asked, n);
          break;
        }
        case 'error':
        case 'drop':
        case 'disconnectReason':
          end(held.keys(), n);
          break;
        default:
          break;
      }
    }
    end(held.keys(), lost?.n ?? Number.POSITIVE_INFINITY);
    held = new Map();
  }
  return over;
}
