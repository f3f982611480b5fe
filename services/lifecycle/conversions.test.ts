import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionEngine } from '../../converter/engines/conversion-engine.ts';
import { ConversionEngines } from '../../converter/engines/conversion-engines.ts';
import { copyEngine } from '../../converter/engines/copy-engine.ts';
import { corrupted, EngineEnded } from '../../converter/errors.ts';
import type { ConversionOptions } from '../../converter/formats/conversion.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { convertFile } from '../../converter/jobs/convert.ts';
import { sourceLimits } from '../../converter/source-checks/source-limits.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import type { ConversionJob } from '../../jobs/job.ts';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { Sealing } from '../../platform/secrets/sealing.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { buildXlsx } from '../../test/support/xlsx-fixture.ts';
import { Conversions } from './conversions.ts';

let database: TestDatabase;
let directory: string;
let blobs: FileBlobStore;
let records: ConversionRecords;
const sealing = new Sealing({ link: 'a secret of links that is long enough for everybody' });

/** What the engine is to do with the next file, and what it was asked for. */
let answer: () => Uint8Array;
/** Which time it was given, milliseconds. */
let timeoutMs: number | undefined;
const conversionTimeoutMs = 4_711;
let asked: { options: ConversionOptions; media: string[] }[];
/** The types that its files are of. */
let readAs: string[];

const engine: ConversionEngine = {
  ability: {
    name: 'test',
    version: '1',
    pairs: new Map([
      ['txt', new Set(['pdf'])],
      ['xls', new Set(['xlsx'])],
      ['tsv', new Set(['xlsx'])],
      ['xlsx', new Set(['csv'])],
    ]),
    unable: () => [],
  },
  async convert(_source, { fromType, options }, media, run) {
    readAs.push(fromType);
    timeoutMs = run?.timeoutMs;
    asked.push({ options, media: media.map(([name, bytes]) => `${name}=${Buffer.from(bytes)}`) });
    return answer();
  },
};
const engines = [copyEngine, engine];

beforeAll(async () => {
  database = await openTestDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-conversions-'));
  blobs = new FileBlobStore(directory);
  records = new ConversionRecords(database.pool);
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  readAs = [];
  answer = () => Buffer.from('result');
});

/** A queue that works at once, as the real one does: a job that is there already is not queued twice. */
function conversions(seen: ConversionJob[] = [], by = records): Conversions {
  const running = new Map<string, Promise<unknown>>();
  const queue = {
    async run(job: ConversionJob) {
      const id = JSON.stringify(job.data);
      if (!running.has(id)) {
        seen.push(job);
        const dependencies = {
          conversions: records,
          blobs,
          sealing,
          conversionEngines: new ConversionEngines(engines),
          sourceLimits: sourceLimits(loadConfig({})),
          openingTimeoutMs: 60_000,
          conversionTimeoutMs,
        };
        running.set(id, convertFile({ ...(job.data as { id: string }), lane: 'batch' }, dependencies));
      }
      await running.get(id);
    },
  };
  const table = new ConversionTable(engines.map(({ ability }) => ability));
  return new Conversions({ records: by, queue, table, sealing });
}

let sources = 0;
async function source(): Promise<string> {
  sources += 1;
  return (await blobs.put(Buffer.from(`source ${sources}`))).hash;
}

describe('conversions', () => {
  it('[CV6] of the same content are made once, for all who ask at the same time or later', async () => {
    const request = { sourceHash: await source(), fromType: 'txt', toType: 'pdf' };
    const one = conversions();
    const outcomes = await Promise.all([
      one.convert(request),
      one.convert(request),
      conversions().convert(request),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, fileType: 'pdf' });
    expect(await blobs.read((outcomes[0] as { hash: string }).hash)).toEqual(Buffer.from('result'));
    const made = asked.length;
    await conversions().convert(request);
    expect(asked).toHaveLength(made);
  });

  it('[CV6] with other options, or of other pictures, are others; in whichever order the options are given', async () => {
    const sourceHash = await source();
    const picture = (await blobs.put(Buffer.from('picture'))).hash;
    const request = { sourceHash, fromType: 'txt', toType: 'pdf' };
    const convert = (more: object) => conversions().convert({ ...request, ...more });
    await convert({ options: { codePage: 1, region: 'de-DE' } });
    await convert({ options: { region: 'de-DE', codePage: 1, watermark: undefined } });
    expect(asked).toHaveLength(1);
    await convert({ options: { codePage: 2 } });
    await convert({ media: { 'media/a.png': picture } });
    expect(asked.slice(1)).toEqual([
      { options: { codePage: 2 }, media: [] },
      { options: { codePage: 65_001 }, media: ['media/a.png=picture'] },
    ]);
  });

  it('[CV27] have a time of their own, after which they are ended with -83; what is opened by them has that of openings', async () => {
    const request = { sourceHash: await source(), fromType: 'txt', toType: 'pdf' };
    answer = () => {
      throw new EngineEnded('time');
    };
    expect(await conversions().convert(request)).toMatchObject({ ok: false, errorCode: -83 });
    expect(timeoutMs).toBe(conversionTimeoutMs);
  });

  it('[CV7] that fail because of the file fail again without another attempt; others are tried anew', async () => {
    const request = { sourceHash: await source(), fromType: 'txt', toType: 'pdf' };
    answer = () => {
      throw corrupted('the file is damaged');
    };
    const refused = { ok: false, errorCode: -86, message: 'the file is damaged' };
    expect(await conversions().convert(request)).toEqual(refused);
    expect(await conversions().convert(request)).toEqual(refused);
    expect(asked).toHaveLength(1);

    const other = { ...request, sourceHash: await source() };
    answer = () => {
      throw new EngineEnded('time');
    };
    expect(await conversions().convert(other)).toMatchObject({ ok: false, errorCode: -83 });
    await database.pool.query(
      `UPDATE conversions SET ended_at = now() - interval '2 minutes' WHERE source_hash = $1`,
      [other.sourceHash],
    );
    answer = () => Buffer.from('at last');
    expect(await conversions().convert(other)).toMatchObject({ ok: true });
  });

  it('[CV7] are kept for a day', async () => {
    const request = { sourceHash: await source(), fromType: 'txt', toType: 'pdf' };
    await conversions().convert(request);
    await database.pool.query(`UPDATE conversions SET ended_at = now() - interval '25 hours'`);
    await conversions().convert(request);
    expect(asked).toHaveLength(2);
    await database.pool.query(`UPDATE conversions SET asked_at = now() - interval '25 hours'`);
    await records.forgetOld();
    const { rows } = await database.pool.query('SELECT FROM conversions');
    expect(rows).toHaveLength(0);
  });

  it('[CC1] are made anew when they are older than results may be', async () => {
    const request = { sourceHash: await source(), fromType: 'txt', toType: 'pdf' };
    await conversions().convert(request);
    const convert = (keptForMs: number) =>
      conversions([], new ConversionRecords(database.pool, keptForMs)).convert(request);
    await database.pool.query(`UPDATE conversions SET ended_at = now() - interval '3 hours'`);
    expect(await convert(4 * 3_600_000)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect(await convert(2 * 3_600_000)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
  });

  it('[CV8] keep passwords encrypted while they wait and not at all afterwards; jobs do not have them', async () => {
    const request = { sourceHash: await source(), fromType: 'txt', toType: 'pdf' };
    const seen: ConversionJob[] = [];
    let stored = '';
    answer = () => Buffer.from('result');
    const options = { password: 'hunter2', savePassword: 'hunter3', codePage: 7 };
    const waiting = conversions(seen);
    const look = async () => {
      const { rows } = await database.pool.query('SELECT * FROM conversions WHERE source_hash = $1', [
        request.sourceHash,
      ]);
      return JSON.stringify(rows);
    };
    const done = waiting.convert({ ...request, options });
    await done;
    stored = await look();
    expect(asked[0]?.options).toEqual(options);
    expect(stored).toContain('"passwords":null');
    for (const text of [stored, JSON.stringify(seen)]) expect(text).not.toMatch(/hunter/);
    expect(await waiting.convert({ ...request, options: { ...options, password: 'other' } })).toMatchObject({
      ok: true,
    });
    expect(asked).toHaveLength(2);
  });

  it('[CV9] go by what a file is where that contradicts its name', async () => {
    const text = (await blobs.put(Buffer.from('{\\rtf1 text}'))).hash;
    expect(await conversions().convert({ sourceHash: text, fromType: 'docx', toType: 'docx' })).toMatchObject(
      {
        ok: false,
        errorCode: -82,
      },
    );
    const gone = { sourceHash: 'f'.repeat(64), fromType: 'docx', toType: 'docx' };
    await expect(conversions().convert(gone)).rejects.toThrow();
  });

  it('[CV29] read what is called a binary workbook by its content, text with its own encoding', async () => {
    const convert = async (bytes: Uint8Array) => {
      const { hash } = await blobs.put(bytes);
      return conversions().convert({ sourceHash: hash, fromType: 'xls', toType: 'xlsx' });
    };
    expect(await convert(Buffer.from('Stra\xdfe\t1,5\r\nZ\xfcrich\t2,5\r\n', 'latin1'))).toMatchObject({
      ok: true,
    });
    expect([readAs, asked[0]?.options]).toEqual([['tsv'], { codePage: 1_252 }]);
    expect(await convert(Buffer.from('MIME-Version: 1.0\r\n\r\n<table></table>'))).toMatchObject({
      errorCode: -82,
    });
  });

  it('[XS230] begin with a byte order mark where one is wanted, and the result is UTF-8', async () => {
    answer = () => Buffer.from('Größe;1\n');
    const { hash } = await blobs.put(buildXlsx([['One']]));
    const of = async (options: ConversionOptions) => {
      const made = await conversions().convert({
        sourceHash: hash,
        fromType: 'xlsx',
        toType: 'csv',
        options,
      });
      return Buffer.from(await blobs.read((made as { hash: string }).hash)).toString();
    };
    expect(await of({ byteOrderMark: true })).toBe('\uFEFFGröße;1\n');
    expect(await of({ byteOrderMark: true, codePage: 1_252 })).toBe('Größe;1\n');
    expect(await of({})).toBe('Größe;1\n');
    answer = () => Buffer.from('\uFEFFGröße;1\n');
    expect(await of({ byteOrderMark: true, delimiter: 2 })).toBe('\uFEFFGröße;1\n');
  });
});
