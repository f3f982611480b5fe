import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConverterEngines } from '../../db/converter-engines.ts';
import { copyAbility } from './copy-engine.ts';
import { EngineAnnouncement } from './engine-announcement.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('[LO15] a converter that is there before the database is migrated says later what it can', async () => {
  const say = vi.fn().mockRejectedValueOnce(new Error('no such table')).mockResolvedValue(undefined);
  const leave = vi.fn().mockResolvedValue(undefined);
  const records = { announce: say, leave } as unknown as ConverterEngines;
  const warn = vi.fn();
  const announced = await EngineAnnouncement.begin(records, [copyAbility], { warn });
  expect(warn).toHaveBeenCalledTimes(1);
  await vi.advanceTimersToNextTimerAsync();
  expect(say).toHaveBeenCalledTimes(2);
  expect(say.mock.calls[1]![1]).toEqual([{ engine: copyAbility.name, version: copyAbility.version }]);
  expect(warn).toHaveBeenCalledTimes(1);
  await announced.end();
  expect(leave).toHaveBeenCalledWith(say.mock.calls[0]![0]);
});
