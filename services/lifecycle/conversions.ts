import { CONVERSION_ERROR, ConversionError } from '../../converter/errors.ts';
import type { ConversionOptions, ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type {
  ConversionRecords,
  ConversionRow,
  ProgressRow,
  WantedConversion,
} from '../../db/conversions.ts';
import type { TurnOwner } from '../../db/job-turns.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';

/** What is to be converted: a blob, and the type it is said to have. */
export interface ConversionRequest {
  sourceHash: string;
  /** Usual extensions in lower case. */
  fromType: string;
  toType: string;
  options?: ConversionOptions;
  /** Blobs of the files that the source names, by their paths. */
  media?: Readonly<Record<string, string>>;
  /** Somebody waits for it at the page of an editor. */
  isInteractive?: boolean;
  /** A document is opened by it: it may take as long as opening may. */
  isOpening?: boolean;
  /** Who it is for: nobody who is known unless given. */
  owner?: TurnOwner;
  /** Hears under which id it is on record. */
  onRecord?: ((id: string) => Promise<void>) | undefined;
}

/**
 * Conversions of blobs. The same content to the same format with the same options is converted once, however many ask
 * for it and on whichever node; outcomes are kept for a while.
 */
export class Conversions {
  readonly #records: ConversionRecords;
  readonly #queue: Pick<ConversionQueue, 'run'>;
  readonly #table: ConversionTable;
  readonly #sealing: Sealing;
  readonly #onLookedUp: (isKnown: boolean) => void;

  constructor(dependencies: {
    records: ConversionRecords;
    queue: Pick<ConversionQueue, 'run'>;
    table: ConversionTable;
    sealing: Sealing;
    /** Hears whether what is wanted was converted before. */
    onLookedUp?: (isKnown: boolean) => void;
  }) {
    this.#onLookedUp = dependencies.onLookedUp ?? (() => undefined);
    this.#records = dependencies.records;
    this.#queue = dependencies.queue;
    this.#table = dependencies.table;
    this.#sealing = dependencies.sealing;
  }

  /**
   * Waits for the result as long as a job may take; what is wrong with the file or the request is an outcome.
   * @throws QueueFullError
   */
  async convert(request: ConversionRequest): Promise<ConversionOutcome> {
    const wanted = this.#wanted(request);
    if ('errorCode' in wanted) return wanted;
    const known = await this.#records.wanted(wanted);
    this.#onLookedUp(known.state !== 'waiting');
    await request.onRecord?.(known.id);
    if (known.state === 'waiting') {
      const { isInteractive = false, isOpening = false, owner = { tenant: '' } } = request;
      const { id, attempt } = known;
      const lane = isInteractive ? 'interactive' : 'batch';
      await this.#queue.run(
        { name: 'convert', data: { id, attempt, ...(isOpening && { isOpening }) } },
        { lane, owner },
      );
    }
    const ended = known.state === 'waiting' ? await this.#records.find(known.id) : known;
    return outcomeOf(ended);
  }

  #wanted({
    sourceHash,
    fromType,
    toType,
    options = {},
    media = {},
  }: ConversionRequest): WantedConversion | Failure {
    try {
      const { name, version } = this.#table.choose({ fromType, toType, options });
      const { password, savePassword, ...others } = options;
      const secrets = JSON.stringify({ password, savePassword });
      const identity = [name, version, sourceHash, fromType, toType, sorted(others), sorted(media), secrets];
      const id = this.#sealing.nameOf(JSON.stringify(identity));
      const passwords = secrets === '{}' ? null : this.#sealing.seal(secrets, id);
      return { id, sourceHash, fromType, toType, options: others, media, passwords };
    } catch (error) {
      if (error instanceof ConversionError) return failure(error.serviceError, error.message);
      throw error;
    }
  }
}

type Failure = Extract<ConversionOutcome, { ok: false }>;

const failure = (errorCode: number, message: string): Failure => ({ ok: false, errorCode, message });

function outcomeOf(row: ConversionRow | null): ConversionOutcome {
  if (row?.state === 'made') return { ok: true, hash: row.resultHash!, fileType: row.resultType! };
  if (row?.state === 'failed') return failure(row.errorCode!, row.message!);
  return failure(CONVERSION_ERROR.timeout, 'The conversion took too long');
}

/** The same options in whichever order they were given. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

/** How far a conversion is. */
export interface Progress {
  /** What is done, 0 to 99. */
  percent: number;
  stage: 'fetching' | 'waiting' | 'loading' | 'converting' | 'storing';
  /** How many others are before one that waits, where that is known. */
  ahead?: number;
}

/** The source is on its way: nothing is known of a conversion yet. */
export const fetching: Progress = { percent: 0, stage: 'fetching' };

/** How far a conversion is, by its record and its place in the queue. */
export async function progressIn(
  { id, attempt, stage, share }: ProgressRow,
  queue: Pick<ConversionQueue, 'placeOf'>,
): Promise<Progress> {
  const percent = Math.min(99, Math.floor(100 * share));
  if (stage !== null) return { percent, stage: stage as Progress['stage'] };
  const ahead = await queue.placeOf({ name: 'convert', data: { id, attempt } });
  return { percent, stage: 'waiting', ...(ahead === null ? {} : { ahead }) };
}
