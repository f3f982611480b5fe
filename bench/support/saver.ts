import pg from 'pg';
import { frameOf, type LeanClient } from './lean-client.ts';

/** Changes in a save, as an editor sends them after a burst of typing. */
export const changesPerSave = 25;
const digits = 8;
/** Where the serial number stands in the first change of a save: behind its quote in the JSON array. */
const serialPosition = { start: 3, length: digits } as const;
const serialPlace = '#'.repeat(digits);
const indexPlace = 9_999_999_999;

/** What one save took, milliseconds. */
export interface SaveTimes {
  /** From `saveChanges` to its acknowledgement. */
  savedMs: number;
  /** From when the save was due, with the save lock, to the acknowledgement. */
  totalMs: number;
}

/**
 * Saves one document as its only editor: asks for the save lock, sends 25 changes, waits for the acknowledgement. The
 * messages are prepared once; what differs from save to save is written over them, among it a serial number by which
 * the log can be checked against the acknowledgements.
 */
export class Saver {
  /** Saves that the server has acknowledged. */
  acknowledged = 0;
  onSaved: (times: SaveTimes) => void = () => undefined;
  readonly key: string;
  readonly #client: LeanClient;
  readonly #ask = frameOf({ type: 'isSaveLock', syncChangesIndex: indexPlace });
  readonly #askIndexAt = this.#ask.indexOf(String(indexPlace));
  readonly #save: Buffer;
  readonly #serialAt: number;
  /** When each save that was asked for was due; the first is under way. */
  readonly #due: number[] = [];
  #sentAt = 0;

  constructor(client: LeanClient, key: string, seed: number) {
    this.#client = client;
    this.key = key;
    this.#save = frameOf({
      type: 'saveChanges',
      changes: JSON.stringify(changesOf(seed)),
      startSaveChanges: true,
      endSaveChanges: true,
      isCoAuthoring: false,
      isExcel: false,
      deleteIndex: null,
      unlock: false,
      releaseLocks: false,
    });
    this.#serialAt = this.#save.indexOf(serialPlace);
    client.onMessage = (type, data) => {
      if (type === 'saveLock') this.#onLock(data);
      else if (type === 'unSaveLock') this.#onAcknowledged();
    };
  }

  get busy(): boolean {
    return this.#due.length > 0;
  }

  /** Saves now, or, while another save is under way, right after it. The save's time counts from `dueAt`. */
  save(dueAt: number): void {
    this.#due.push(dueAt);
    if (this.#due.length === 1) this.#start();
  }

  #start(): void {
    const endIndex = this.acknowledged * changesPerSave;
    this.#ask.write(String(endIndex).padStart(String(indexPlace).length), this.#askIndexAt, 'latin1');
    this.#client.send(this.#ask);
  }

  #onLock(data: Buffer): void {
    if (data.includes('"saveLock":true')) throw new Error('A lone editor was refused the save lock');
    this.#save.write(String(this.acknowledged).padStart(digits, '0'), this.#serialAt, 'latin1');
    this.#sentAt = performance.now();
    this.#client.send(this.#save);
  }

  #onAcknowledged(): void {
    const now = performance.now();
    this.acknowledged += 1;
    const dueAt = this.#due.shift()!;
    if (this.busy) this.#start();
    this.onSaved({ savedMs: now - this.#sentAt, totalMs: now - dueAt });
  }
}

/** 25 changes of about 60 characters: a kind and some bytes in base64, as editors with a binary model make them. */
function changesOf(seed: number): string[] {
  let state = seed + 1;
  const randomByte = () => {
    // Numerical Recipes' linear congruential generator: the same changes in every run.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return Array.from({ length: changesPerSave }, (_, number) => {
    const bytes = Buffer.from(Array.from({ length: 39 + (number % 6) }, randomByte)).toString('base64');
    return number === 0 ? `${serialPlace};${bytes}` : `${30 + number};${bytes}`;
  });
}

const tickMs = 1;

/** Saves at a steady rate, one saver after the other, whether or not the server keeps up. Returns what ends it. */
export function saveAtRate(savers: readonly Saver[], perSecond: number): () => void {
  const startedAt = performance.now();
  const dueAtOf = (number: number) => startedAt + (number * 1_000) / perSecond;
  let issued = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (let dueAt = dueAtOf(issued); dueAt <= now; dueAt = dueAtOf(issued)) {
      savers[issued % savers.length]!.save(dueAt);
      issued += 1;
    }
  }, tickMs);
  return () => clearInterval(timer);
}

/** `in_place`: the batches follow one another without gap, in the order in which the saver numbered them. */
const logs = `
  SELECT key, count(*)::int AS batches, bool_and(in_place) AS "inPlace" FROM (
    SELECT key,
           first_index = (row_number() OVER log - 1) * $1::int AND next_index = first_index + $1::int
             AND substring(changes FROM $2 FOR $3)::int = row_number() OVER log - 1 AS in_place
    FROM batches WINDOW log AS (PARTITION BY key ORDER BY first_index)
  ) AS numbered GROUP BY key`;

/**
 * Compares the change logs in the database with what the savers were acknowledged: the same number of batches, each in
 * its place.
 *
 * @returns how many batches were checked
 * @throws Error that names a document whose log is not what was acknowledged
 */
export async function checkLogs(databaseUrl: string, savers: readonly Saver[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; batches: number; inPlace: boolean }>(logs, [
      changesPerSave,
      serialPosition.start,
      serialPosition.length,
    ]);
    const stored = new Map(rows.map((row) => [row.key, row]));
    let checked = 0;
    for (const saver of savers) {
      const log = stored.get(saver.key);
      const batches = log?.batches ?? 0;
      if (batches !== saver.acknowledged || log?.inPlace === false) {
        const found = `${batches} batches${log?.inPlace === false ? ', not all in place' : ''}`;
        throw new Error(`${saver.key}: ${saver.acknowledged} saves acknowledged, ${found} stored`);
      }
      checked += batches;
    }
    return checked;
  } finally {
    await client.end();
  }
}
