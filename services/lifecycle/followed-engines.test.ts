import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { ConverterEngines } from '../../db/converter-engines.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { FollowedEngines } from './followed-engines.ts';

const copy = { engine: 'copy', version: '1' };
const x2t = { engine: 'x2t', version: '9.3' };
const libreoffice = (version: string) => ({ engine: 'libreoffice', version });
const lapseMs = 60_000;

describe('the engines that a server counts with', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('[LO13] are those that all converters have, and its own as long as none has said anything', async () => {
    const records = new ConverterEngines(database.pool, lapseMs);
    const table = new ConversionTable([]);
    const followed = new FollowedEngines(table, records, [copy, libreoffice('7.4')]);
    const names = async () => {
      await followed.look();
      return ['docx', 'txt', 'fb2'].map((type) => table.handles('odt', type));
    };
    expect(await names()).toEqual([true, true, false]);
    await records.announce('one', [copy, libreoffice('7.6'), x2t]);
    expect(await names()).toEqual([true, true, true]);
    await records.announce('two', [copy, libreoffice('7.4')]);
    expect(await records.inCommon()).toEqual(expect.arrayContaining([copy, libreoffice('7.4')]));
    expect(await names()).toEqual([true, true, false]);
    await records.announce('two', [copy]);
    expect(await names()).toEqual([false, false, false]);
    await records.leave('two');
    expect(await names()).toEqual([true, true, true]);
    await database.pool.query(`UPDATE converter_engines SET seen_at = now() - interval '2 minutes'`);
    expect(await records.inCommon()).toBeNull();
    expect(await names()).toEqual([true, true, false]);
  });
});
