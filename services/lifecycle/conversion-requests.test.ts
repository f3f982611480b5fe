import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import { eventually } from '../../test/support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { ConversionRequests, claimLapseMs } from './conversion-requests.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const made: ConversionOutcome = { ok: true, hash: 'a'.repeat(64), fileType: 'pdf' };
const failed: ConversionOutcome = { ok: false, errorCode: -81, message: 'no' };

/** A node of its own. */
function node(timeoutMs = 20_000): ConversionRequests {
  const records = new ConversionRequestRecords<ConversionOutcome>(database.pool, claimLapseMs);
  return new ConversionRequests(records, timeoutMs, pino({ level: 'silent' }));
}

describe('requests under a name', () => {
  it('[CV10] are worked on once, on one of all nodes, and everybody gets the outcome', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
      return made;
    };
    const nodes = [node(), node()];
    const outcomes = await Promise.all([...nodes, ...nodes].map((one) => one.run('shared', work)));
    expect(outcomes).toEqual([made, made, made, made]);
    expect(runs).toBe(1);
    expect(await node().start('shared', work)).toEqual(made);
    expect(runs).toBe(1);
  });

  it('[CV10] that are not waited for are asked about until they have ended, failures too', async () => {
    let finish: ((outcome: ConversionOutcome) => void) | undefined;
    const work = () => new Promise<ConversionOutcome>((resolve) => (finish = resolve));
    const one = node();
    expect(await one.start('later', work)).toBeNull();
    expect(await one.start('later', work)).toBeNull();
    expect(await node().start('later', work)).toBeNull();
    await eventually(
      async () => finish,
      (begun) => begun !== undefined,
    );
    finish!(failed);
    expect(
      await eventually(
        () => one.start('later', work),
        (outcome) => outcome !== null,
      ),
    ).toEqual(failed);
  });

  it('[CV11] are taken over from a node that died, and begun anew after a fault', async () => {
    await new ConversionRequestRecords(database.pool, claimLapseMs).claim(
      'orphan',
      'the claim of a dead node',
    );
    const impatient = await node(1).run('orphan', async () => made);
    expect(impatient).toMatchObject({ ok: false, errorCode: -83 });
    await database.pool.query(`UPDATE conversion_requests SET claimed_at = now() - interval '1 hour'`);
    expect(await node().run('orphan', async () => made)).toEqual(made);

    const fault = node().run('faulty', async () => Promise.reject(new Error('a fault')));
    await expect(fault).rejects.toThrow('a fault');
    expect(await node().run('faulty', async () => made)).toEqual(made);
  });

  it('[CV11] are forgotten after a day', async () => {
    await node().run('old', async () => failed);
    await database.pool.query(`UPDATE conversion_requests SET ended_at = now() - interval '25 hours'`);
    expect(await node().run('old', async () => made)).toEqual(made);
    await database.pool.query(`UPDATE conversion_requests SET ended_at = now() - interval '25 hours'`);
    const records = new ConversionRequestRecords<ConversionOutcome>(database.pool, claimLapseMs);
    await records.forgetOld();
    expect(await records.find('old')).toBeNull();
  });
});
