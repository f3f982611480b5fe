import type { Member } from './member.ts';

/** `live_viewer`: shown changes as they are saved; `closed`: left co-editing and kept the connection. */
export type SessionKind = 'editor' | 'viewer' | 'live_viewer' | 'closed';

/** How many are attached to the documents of this node, by kind: known at once, however many there are. */
export class SessionCounts {
  readonly #counts: Record<SessionKind, number> = { editor: 0, viewer: 0, live_viewer: 0, closed: 0 };

  /** A copy. */
  now(): Readonly<Record<SessionKind, number>> {
    return { ...this.#counts };
  }

  attached(member: Member): void {
    this.#counts[kindOf(member)] += 1;
  }

  /** To be called while the member is of the kind of which it was when it was counted. */
  detached(member: Member): void {
    this.#counts[kindOf(member)] -= 1;
  }
}

function kindOf(member: Member): SessionKind {
  if (member.state === 'closed') return 'closed';
  if (!member.view) return 'editor';
  return member.live ? 'live_viewer' : 'viewer';
}
