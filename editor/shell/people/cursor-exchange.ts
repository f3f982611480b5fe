import type { DocumentClient } from '../../../client/document-client.ts';

/** Cursors are sent at most so often. */
const sendEveryMs = 100;
/** A cursor that is ahead of what this page has received is kept so long. */
const waitForChangesMs = 5_000;

/** What a kind of document knows of cursors. `Place` is where one is. */
export interface CursorKind<Place> {
  /** Where this person's cursor is, as others are told. */
  own(): string;
  /** Null for what another kind of editor has sent. */
  decode(text: string): Place | null;
  /** Shows somebody's cursor. `early`: its place is in changes that have not come yet. */
  show(userId: string, place: Place): 'shown' | 'early' | 'late';
  /** Takes the cursors of those away who are not among the participants. */
  keepOnly(userIds: readonly string[]): void;
}

/** Tells others where this person's cursor is, and shows where theirs are. */
export class CursorExchange<Place> {
  readonly #client: DocumentClient;
  readonly #kind: CursorKind<Place>;
  readonly #early = new Map<string, { place: Place; until: number }>();
  readonly #stops: (() => void)[];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(client: DocumentClient, kind: CursorKind<Place>) {
    this.#client = client;
    this.#kind = kind;
    this.#stops = [
      client.on('cursor', ({ user, cursor }) => this.#receive(user, cursor)),
      client.on('status', () => this.#showEarly()),
      client.on('participants', (participants) => kind.keepOnly(participants.map(({ id }) => id))),
    ];
    this.moved();
  }

  /** This person's cursor is elsewhere. */
  moved(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#client.cursor(this.#kind.own());
    }, sendEveryMs);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #receive(userId: string, text: string): void {
    const place = this.#kind.decode(text);
    if (place === null || userId === this.#client.userId) return;
    this.#early.delete(userId);
    if (this.#kind.show(userId, place) === 'early') {
      this.#early.set(userId, { place, until: Date.now() + waitForChangesMs });
    }
  }

  #showEarly(): void {
    for (const [userId, { place, until }] of this.#early) {
      if (Date.now() > until || this.#kind.show(userId, place) === 'shown') this.#early.delete(userId);
    }
  }
}
