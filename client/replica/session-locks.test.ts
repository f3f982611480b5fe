import { expect, it } from 'vitest';
import type { LockResult } from '../locks.ts';
import type { Lock } from '../protocol/index.ts';
import { SessionLocks } from './session-locks.ts';

const name = { clientId: 'tab-1', number: 1 };
const lockOf = (user: string): Lock => ({ time: 0, user, block: 'p2' });

/** A client of ann whose answers the test gives. */
class ScriptedClient {
  readonly userId = 'ann';
  readonly locks = new Map<string, Lock>();
  releases = 0;
  answer: LockResult = { granted: true };

  acquire(): Promise<LockResult> {
    return Promise.resolve(this.answer);
  }

  releaseLocks(): boolean {
    this.releases++;
    this.locks.clear();
    return true;
  }
}

it('[SM1] gives an element back that the server grants after an early refusal, also one that was held before', async () => {
  const client = new ScriptedClient();
  const locks = new SessionLocks(
    client,
    () => {},
    () => {},
  );
  locks.touch(name, ['p2']);
  await locks.settled();
  client.locks.set('p2', lockOf('ann'));
  expect([...locks.own]).toEqual(['p2']);
  locks.release();
  expect(client.releases).toBe(1);

  // Asked for again while bob holds it for a moment: the list of locks refuses before the server comes to the question.
  client.answer = { granted: false, holder: lockOf('bob') };
  locks.touch(name, ['p2']);
  await locks.settled();
  client.locks.set('p2', lockOf('bob'));
  locks.release();
  expect(client.releases).toBe(1);

  client.locks.set('p2', lockOf('ann'));
  locks.release();
  expect(client.releases).toBe(2);
});
