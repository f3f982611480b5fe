import type pg from 'pg';
import { ServiceError } from '../client/protocol/index.ts';
import { type DocumentModel, modelVersions } from './document-row.ts';

/** What opening a source gave: blobs by the path they have in the document, or the number of what was wrong with it. */
export type OpenedSource =
  | { ok: true; files: Readonly<Record<string, string>> }
  | { ok: false; errorCode: number };

/** Errors that say more of the converter than of the file: after some minutes another attempt is made. */
const passing = [ServiceError.convert, ServiceError.convertLimits].join(', ');

/** Results of opening, by the content of the source: a source is opened once, however many documents have it. */
export class OpenedSources {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(sourceHash: string, model: DocumentModel): Promise<OpenedSource | null> {
    const { rows } = await this.#pool.query<{
      error_code: number | null;
      files: Record<string, string>;
    }>({
      name: 'find-opened-source',
      text: `SELECT error_code, files FROM opened_sources WHERE source_hash = $1 AND model = $2 AND model_version = $3
             AND (error_code IS NULL OR error_code NOT IN (${passing}) OR opened_at > now() - interval '10 minutes')`,
      values: [sourceHash, model, modelVersions[model]],
    });
    const row = rows[0];
    if (!row) return null;
    return row.error_code === null
      ? { ok: true, files: row.files }
      : { ok: false, errorCode: row.error_code };
  }

  async store(sourceHash: string, model: DocumentModel, result: OpenedSource): Promise<void> {
    await this.#pool.query(
      `INSERT INTO opened_sources (source_hash, model, model_version, error_code, files)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (source_hash, model, model_version) DO UPDATE SET error_code = excluded.error_code, files = excluded.files,
         opened_at = now()`,
      [
        sourceHash,
        model,
        modelVersions[model],
        result.ok ? null : result.errorCode,
        JSON.stringify(result.ok ? result.files : {}),
      ],
    );
  }
}
