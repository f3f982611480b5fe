/**
 * Which client took part: our library on a text document or on a workbook, our library on a log of opaque changes, an editor of
 * others, or somebody who looks on while they write.
 */
export type Family = 'word' | 'cell' | 'library' | 'other' | 'viewer';

/** How a connection ended, as its client saw it. */
export type HowLost = 'lost' | 'dismissed' | 'left';

/** A message of the protocol, as it was sent or heard. */
export type Said = Readonly<Record<string, unknown>> & { readonly type: string };

/** What can happen in a run. Connections are numbered over the whole run; a client has one at a time. */
export type Happening =
  | { kind: 'joins'; client: string; key: string; userId: string; family: Family; editorType: number }
  | { kind: 'connects'; client: string; connection: number }
  | { kind: 'sends'; connection: number; message: Said }
  | { kind: 'hears'; connection: number; message: Said }
  | { kind: 'loses'; connection: number; how: HowLost; detail: string }
  /** The client will not go on; `told` is what the server gave as the reason, null when it ends by its own wish. */
  | { kind: 'ends'; client: string; told: string | null }
  /** Text of the document a client shows, block by block, when everything has come to rest. */
  | { kind: 'shows'; client: string; texts: readonly string[] }
  | { kind: 'fault'; name: string; phase: 'begins' | 'ends'; detail: string }
  /** A file came to the integrator; `accepts` is whether its answer was an acceptance. */
  | {
      kind: 'receives';
      key: string;
      status: number;
      url: string | null;
      sha256: string | null;
      texts: readonly string[] | null;
      accepts: boolean;
    }
  /** Nothing is injected any more, everybody has saved what they had, and everybody was given time to see it. */
  | { kind: 'rests'; key: string }
  /** Something that has to come about did not in the time it had. */
  | { kind: 'waits'; what: string };

/** A happening with its place in the run and its time, milliseconds since the epoch. */
export type HistoryEvent = Happening & { readonly n: number; readonly at: number };

/** Everything a run's clients sent, were told and saw, in the order in which this process saw it. */
export class History {
  readonly events: HistoryEvent[] = [];
  #connections = 0;
  #acknowledgements = 0;

  /** How many saves clients were told are stored. */
  get acknowledgements(): number {
    return this.#acknowledgements;
  }

  record(happening: Happening): void {
    if (happening.kind === 'hears' && happening.message.type === 'unSaveLock') this.#acknowledgements += 1;
    this.events.push({ n: this.events.length, at: Date.now(), ...happening });
  }

  /** A number for a connection that begins. */
  connects(client: string): number {
    this.#connections += 1;
    this.record({ kind: 'connects', client, connection: this.#connections });
    return this.#connections;
  }
}
