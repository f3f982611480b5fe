import { Frame, type Peer } from '../../platform/ports/peer.ts';
import type { Member } from './document/member.ts';

/** Time for a client to go on at another server before its connection here is ended, milliseconds. */
const patienceMs = 10_000;

const move = Frame.of({ type: 'quireMove' });

/**
 * Lets people go to other servers. The people of a document go together: as long as some of them are here and others there, each of
 * their saves costs both servers. Clients that can are told, and go on here until they are there; the connections of others are ended.
 */
export class Departures {
  readonly #documents: () => Iterable<Iterable<Member>>;
  readonly #others: Iterable<Peer>;
  readonly #letGo = new WeakSet<Peer>();

  /** `documents`: those who are in each. `others`: all connections, also those that are in none. */
  constructor(documents: () => Iterable<Iterable<Member>>, others: Iterable<Peer>) {
    this.#documents = documents;
    this.#others = others;
  }

  /** Lets up to so many go who have not been let go before. */
  letGo(count: number): void {
    let left = count;
    for (const [peer, isTold] of this.#inOrder()) {
      if (left <= 0) return;
      if (this.#letGo.has(peer)) continue;
      this.#letGo.add(peer);
      left -= 1;
      const end = () => peer.interrupt('this node is drained');
      if (!isTold) end();
      else {
        peer.send(move);
        setTimeout(end, patienceMs).unref();
      }
    }
  }

  /** Each connection, and whether its client goes when told to. Some come twice. */
  *#inOrder(): Iterable<readonly [Peer, boolean]> {
    for (const members of this.#documents()) {
      for (const { peer, moves, state } of members) yield [peer, moves && state === 'active'];
    }
    for (const peer of this.#others) yield [peer, false];
  }
}
