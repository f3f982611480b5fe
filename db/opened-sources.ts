import type pg from 'pg';
import { ServiceError } from '../client/protocol/index.ts';
import { kinds } from '../model/kinds.ts';

/**
 * The result of opening a source: blobs by their paths in the document, or the number of the error. `origin`: the source, where
 * those who open it have to give more (a password, an encoding).
 */
export type OpenedSource =
  | { ok: true; files: Readonly<Record<string, string>> }
  | { ok: false; errorCode: number; origin?: { hash: string; fileType: string } };

/** A source as it is opened: its content, the form it is opened to, and the options that were needed, by name. */
export interface SourceOpening {
  sourceHash: string;
  model: string;
  variant: string;
}

/** Errors that say more of the converter than of the file: after some minutes another attempt is made. */
const passing = [ServiceError.convert, ServiceError.convertLimits].join(', ');

const nameOf = ({ sourceHash, model, variant }: SourceOpening, version: number): string =>
  `${sourceHash} ${model} ${version} ${variant}`;

/**
 * Results that are remembered, and how long. The database keeps a result, and its files, for an hour at least after it was last
 * asked for, and notes this where the last time was 40 minutes ago: what is remembered is there.
 */
const mostRemembered = 5_000;
const rememberedMs = 600_000;

/**
 * Results of opening, by the content of the source: a source is opened once, however many documents have it. Sources that
 * were opened are remembered for a while, as many people open the same ones.
 */
export class OpenedSources {
  readonly #pool: pg.Pool;
  readonly #remembered = new Map<string, { opened: OpenedSource; untilMs: number }>();

  readonly #onAsked: (isRemembered: boolean) => void;

  /** `onAsked` hears of each question whether the answer was remembered. */
  constructor(pool: pg.Pool, onAsked: (isRemembered: boolean) => void = () => undefined) {
    this.#pool = pool;
    this.#onAsked = onAsked;
  }

  /** @param version of the model, where it is not the present one */
  async find(
    { sourceHash, model, variant }: SourceOpening,
    version = kinds.versionOf(model),
  ): Promise<OpenedSource | null> {
    const name = nameOf({ sourceHash, model, variant }, version);
    const remembered = this.#remembered.get(name);
    const isRemembered = remembered !== undefined && remembered.untilMs > Date.now();
    this.#onAsked(isRemembered);
    if (isRemembered) return remembered.opened;
    const found = await this.#look({ sourceHash, model, variant }, version);
    if (found?.ok) this.#remember(name, found);
    else this.#remembered.delete(name);
    return found;
  }

  /** How many results are remembered. */
  get remembered(): number {
    return this.#remembered.size;
  }

  /** The one that was looked up the longest ago gives way. */
  #remember(name: string, opened: OpenedSource): void {
    this.#remembered.delete(name);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= mostRemembered) this.#remembered.delete(oldest!);
    this.#remembered.set(name, { opened, untilMs: Date.now() + rememberedMs });
  }

  async #look({ sourceHash, model, variant }: SourceOpening, version: number): Promise<OpenedSource | null> {
    const { rows } = await this.#pool.query<{
      error_code: number | null;
      files: Record<string, string>;
      unused_long: boolean;
    }>({
      name: 'find-opened-source',
      text: `SELECT error_code, files, error_code IS NULL AND opened_at < now() - interval '40 minutes' AS unused_long FROM opened_sources WHERE source_hash = $1 AND model = $2 AND model_version = $3 AND variant = $4
             AND (error_code IS NULL OR error_code NOT IN (${passing}) OR opened_at > now() - interval '10 minutes')`,
      values: [sourceHash, model, version, variant],
    });
    const row = rows[0];
    if (!row || (row.unused_long && !(await this.#use({ sourceHash, model, variant }, version)))) return null;
    return row.error_code === null
      ? { ok: true, files: row.files }
      : { ok: false, errorCode: row.error_code };
  }

  /** Notes that a result is needed. False when it was removed a moment ago as one that nobody needs. */
  async #use({ sourceHash, model, variant }: SourceOpening, version: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE opened_sources SET opened_at = now()
       WHERE source_hash = $1 AND model = $2 AND model_version = $3 AND variant = $4`,
      [sourceHash, model, version, variant],
    );
    return rowCount === 1;
  }

  async store({ sourceHash, model, variant }: SourceOpening, result: OpenedSource): Promise<void> {
    this.#remembered.delete(nameOf({ sourceHash, model, variant }, kinds.versionOf(model)));
    await this.#pool.query(
      `INSERT INTO opened_sources (source_hash, model, model_version, error_code, files, variant)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (source_hash, model, model_version, variant) DO UPDATE SET error_code = excluded.error_code, files = excluded.files,
         opened_at = now()`,
      [
        sourceHash,
        model,
        kinds.versionOf(model),
        result.ok ? null : result.errorCode,
        JSON.stringify(result.ok ? result.files : {}),
        variant,
      ],
    );
  }

  /** Forgets an outcome that nobody will ask for again. */
  async forget({ sourceHash, model, variant }: SourceOpening): Promise<void> {
    await this.#pool.query(
      'DELETE FROM opened_sources WHERE source_hash = $1 AND model = $2 AND model_version = $3 AND variant = $4',
      [sourceHash, model, kinds.versionOf(model), variant],
    );
  }
}
