import { expect, it } from 'vitest';
import type { ProgressRow } from '../../../db/conversions.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { OpeningProgress, type OpeningStage } from './opening-progress.ts';

const nothing = (): void => undefined;

/** An opening of the document `d1` that two wait for, of whom one came later. */
function waitingFor() {
  let row: ProgressRow | null = null;
  let ahead: number | null = null;
  let finish = nothing;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const records = { progressOf: async (id: string) => (row?.id === id ? row : null) };
  const progress = new OpeningProgress(records, { placeOf: async () => ahead }, 2);
  const reported: [OpeningStage[], OpeningStage[]] = [[], []];
  const [first, second] = reported.map((heard) =>
    progress.during(
      'd1',
      (stage) => heard.push(stage),
      () => finished,
    ),
  );
  const set = (next: Partial<ProgressRow> | null, before: number | null = null) => {
    row = next && { id: 'c1', attempt: 0, stage: null, share: 0, ...next };
    ahead = before;
  };
  /** Until the newest that both were sent is this. */
  const reports = (stage: OpeningStage) =>
    eventually(
      async () => reported.map((heard) => heard.at(-1)),
      (newest) => newest.every((one) => JSON.stringify(one) === JSON.stringify(stage)),
    );
  return { progress, reported, set, reports, finish: () => finish(), ended: Promise.all([first, second]) };
}

it('[CP3] everybody who waits for an opening hears how far it is, each thing once, and nothing after its end', async () => {
  const { progress, reported, set, reports, finish, ended } = waitingFor();
  await reports({ stage: 'opening' });
  progress.enter('d1', 'fetching');
  await reports({ percent: 0, stage: 'fetching' });
  set({}, 3);
  progress.enter('d1', { conversion: 'c1' });
  await reports({ percent: 0, stage: 'waiting', ahead: 3 });
  set({ stage: 'converting', share: 0.5 });
  await reports({ percent: 50, stage: 'converting' });
  set({ stage: 'storing', share: 1 });
  await reports({ percent: 99, stage: 'storing' });
  set(null);
  progress.enter('d1', 'opening');
  await reports({ stage: 'opening' });
  const late: OpeningStage[] = [];
  const latest = progress.during(
    'd1',
    (stage) => late.push(stage),
    () => ended,
  );
  await eventually(
    async () => late,
    (heard) => heard.length > 0,
  );
  expect(late).toEqual([{ stage: 'opening' }]);
  finish();
  await latest;
  const before = reported.map((heard) => heard.length);
  expect(before).toEqual([6, 6]);
  progress.enter('d1', 'fetching');
  let isOver = false;
  await progress.during('d2', undefined, async () => {
    progress.enter('d2', 'fetching');
    isOver = true;
  });
  expect(isOver).toBe(true);
  expect(reported.map((heard) => heard.length)).toEqual(before);
});

it('[CP3] an opening goes on where its progress cannot be looked up', async () => {
  let looks = 0;
  const progressOf = async () => {
    looks += 1;
    throw new Error('away');
  };
  const progress = new OpeningProgress({ progressOf }, { placeOf: async () => null }, 2);
  const reported: OpeningStage[] = [];
  const opened = progress.during(
    'd1',
    (stage) => reported.push(stage),
    async () => {
      progress.enter('d1', { conversion: 'c1' });
      await eventually(
        async () => looks,
        (count) => count > 1,
      );
      progress.enter('d1', 'fetching');
      await eventually(
        async () => reported.length,
        (count) => count > 0,
      );
      return 'opened';
    },
  );
  expect(await opened).toBe('opened');
  expect(reported).toEqual([{ percent: 0, stage: 'fetching' }]);
});
