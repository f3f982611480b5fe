import type { ConnectState, Participant } from './protocol/index.ts';

/**
 * Who is attached to the document. Lists carry the time at which the server made them; one older than the
 * newest seen on this connection is stale. Times of different connections may come from different clocks.
 */
export class Presence {
  #participants: readonly Participant[] = [];
  #newestTimestamp = Number.NEGATIVE_INFINITY;

  get participants(): readonly Participant[] {
    return this.#participants;
  }

  /** Participants that may edit. */
  get editors(): readonly Participant[] {
    return this.#participants.filter((participant) => !participant.view);
  }

  isViewer(userId: string): boolean {
    return this.#participants.some(({ id, view }) => id === userId && view);
  }

  /** A new connection begins. */
  reset(): void {
    this.#newestTimestamp = Number.NEGATIVE_INFINITY;
  }

  replace(participants: readonly Participant[]): void {
    this.#participants = participants;
  }

  /** False if the list is stale. */
  update(state: ConnectState): boolean {
    if (state.participantsTimestamp < this.#newestTimestamp) return false;
    this.#newestTimestamp = state.participantsTimestamp;
    this.#participants = state.participants;
    return true;
  }
}
