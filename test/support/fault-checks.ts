import type { Node } from 'prosemirror-model';
import { expect } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { decodeEnvelope } from '../../model/log/change.ts';
import { applyChanges } from '../../model/word/change.ts';
import { eventually } from './eventually.ts';
import type { FaultWorld } from './fault-world.ts';
import type { Writer } from './fault-writer.ts';
import type { ReceivedCallback } from './integrator.ts';

/** Everything typed is stored, and everybody's document and the log say the same: each letter once and in order. */
export async function expectNothingLost(world: FaultWorld, writers: readonly Writer[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.until('everything stored', ({ saved }) => saved)));
  const total = writers.reduce((sum, { count }) => sum + count, 0);
  await Promise.all(
    writers.map((writer) => writer.until('all changes', (status) => status.acknowledgedIndex >= total)),
  );
  const log = await storedLog(world);
  expect(log.endIndex).toBe(total);
  for (const { name, count } of writers) {
    expect(log.authors.filter((author) => author === name)).toHaveLength(count);
  }
  const replayed = applyChanges(openDocx(world.source).doc, log.changes);
  expect(replayed.skipped).toEqual([]);
  for (const writer of writers) {
    expect(writer.doc.eq(replayed.doc), `${writer.name} sees what the log says`).toBe(true);
    expect(writer.complaintsAbout(replayed.doc)).toEqual([]);
  }
}

/** The log as it is stored; checks that its numbers have neither gap nor overlap. */
async function storedLog(world: FaultWorld) {
  const batches = await world.query<{ first_index: number; next_index: number; changes: string }>(
    'SELECT first_index, next_index, changes FROM batches WHERE key = $1 ORDER BY first_index',
    [world.key],
  );
  const changes: string[] = [];
  for (const batch of batches) {
    expect(batch.first_index).toBe(changes.length);
    changes.push(...(JSON.parse(batch.changes) as string[]));
    expect(batch.next_index).toBe(changes.length);
  }
  const [document] = await world.query<{ next_index: number }>(
    'SELECT next_index FROM documents WHERE key = $1',
    [world.key],
  );
  const authors = changes.map((text) => {
    const change = decodeEnvelope(text);
    return typeof change === 'string' ? change : change.clientId;
  });
  return { changes, authors, endIndex: document!.next_index };
}

/**
 * The callback with the assembled document, which has everybody's letters in it. `mayBeKnown`: whether the integrator was
 * sent all of it before; whether that was received before the last file was made is then not known.
 */
export async function expectDelivered(
  world: FaultWorld,
  writers: readonly Writer[],
  mayBeKnown = () => false,
): Promise<ReceivedCallback> {
  const callback = await world.integrator.waitForCallback(
    world.key,
    ({ status }) => status > 1 && status < 6,
  );
  expect(callback.body).toMatchObject({
    key: world.key,
    status: 2,
    filetype: 'docx',
    notmodified: expect.any(Boolean),
  });
  if (!mayBeKnown()) expect(callback.body.notmodified).toBe(false);
  const { doc } = openDocx(await fetchResult(callback));
  for (const writer of writers) expect(writer.complaintsAbout(doc)).toEqual([]);
  return callback;
}

/**
 * Every file that came with a status 6 is the document at the index of the log it was made for, and no file came after
 * a newer one. To be asked while the document is open: its log is compared. Returns the indices, in order of arrival.
 */
export async function expectForcedFilesRight(world: FaultWorld): Promise<number[]> {
  const { changes } = await storedLog(world);
  const saves = await world.query<{ hash: string; end: number }>(
    'SELECT result_hash AS hash, end_index AS "end" FROM saves WHERE key = $1 AND status = 6 ORDER BY id',
    [world.key],
  );
  const indices: number[] = [];
  for (const callback of world.integrator.callbacksOf(world.key).filter(({ status }) => status === 6)) {
    const save = saves.find(({ hash }) => String(callback.body.url).includes(hash));
    expect(save, 'the callback belongs to a save').toBeDefined();
    const replayed = applyChanges(openDocx(world.source).doc, changes.slice(0, save!.end)).doc;
    expect(textsOf(openDocx(await fetchResult(callback)).doc)).toEqual(textsOf(replayed));
    indices.push(save!.end);
  }
  expect(indices).toEqual([...indices].sort((one, other) => one - other));
  return indices;
}

/** The texts of the blocks of a document. */
export function textsOf(doc: Node): string[] {
  const texts: string[] = [];
  doc.forEach((block) => {
    texts.push(block.textContent);
  });
  return texts;
}

/** The file a callback tells of. */
export async function fetchResult({ body }: ReceivedCallback): Promise<Uint8Array> {
  const response = await fetch(String(body.url));
  if (!response.ok) throw new Error(`The result could not be fetched: status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The end of a document's life in the database: delivered once, its changes deleted, nothing pending. */
export async function expectClosed(world: FaultWorld): Promise<void> {
  const [document] = await eventually(
    () =>
      world.query<{ state: string; next_index: number }>(
        'SELECT state, next_index FROM documents WHERE key = $1',
        [world.key],
      ),
    (rows) => rows[0]?.state === 'closed',
  );
  expect(document).toEqual({ state: 'closed', next_index: 0 });
  const saves = await world.query<{ status: number; state: string; skipped: number }>(
    'SELECT status, state, skipped FROM saves WHERE key = $1',
    [world.key],
  );
  expect(saves.filter(({ status }) => status < 6)).toEqual([{ status: 2, state: 'delivered', skipped: 0 }]);
  expect(saves.filter(({ state }) => state === 'assembling' || state === 'pending')).toEqual([]);
  for (const table of ['batches', 'openings', 'forgotten']) {
    expect(await world.query(`SELECT key FROM ${table} WHERE key = $1`, [world.key])).toEqual([]);
  }
}
