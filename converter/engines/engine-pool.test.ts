import { readdirSync } from 'node:fs';
import os from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { cellModel } from '../../model/cell/cell-model.ts';
import { cellKind, wordKind } from '../../model/kinds.ts';
import { loadConfig } from '../../platform/config.ts';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { slowDocument } from '../../test/support/slow-documents.ts';
import { buildXlsx } from '../../test/support/xlsx-fixture.ts';
import { sourceLimits } from '../source-checks/source-limits.ts';
import { EnginePool } from './engine-pool.ts';
import type { EngineTask } from './engine-thread.ts';

const limits = sourceLimits(loadConfig({}));
const pool = new EnginePool({
  ...{ threads: 3, memoryMb: 1_024, timeoutMs: 120_000 },
  ...{ log: silentLog, onRun: () => undefined },
});
afterAll(() => pool.close());

const opening = (source: Uint8Array): EngineTask => ({
  ...{ kind: 'open', model: wordKind.model.name },
  ...{ source, limits },
});

/** Threads of this process that the processor goes to last. */
function loweredThreads(): number {
  const isLowered = (thread: string): boolean => {
    try {
      return os.getPriority(Number(thread)) > os.getPriority();
    } catch {
      return false; // It has ended.
    }
  };
  return readdirSync('/proc/self/task').filter(isLowered).length;
}

/** Waits until so many threads have a lower priority while a task goes on. */
async function lowerDuring(task: EngineTask, count: number) {
  let isOver = false;
  const run = pool.run(task).finally(() => {
    isOver = true;
  });
  await expect.poll(() => isOver || loweredThreads() === count, { interval: 20 }).toBe(true);
  expect(isOver).toBe(false);
  return run;
}

/** Elsewhere threads have no numbers; and a process may have the lowest priority already. */
const canBeLowered = os.platform() === 'linux' && os.getPriority() < os.constants.priority.PRIORITY_LOW;

test.skipIf(!canBeLowered)('[CV28] a long task gives way to others until it ends', async () => {
  expect((await lowerDuring(opening(slowDocument(1)), 1)).kind).toBe('opened');
  expect(loweredThreads()).toBe(0);
  const short = opening(buildDocx({ paragraphs: ['Hello'] }));
  for (let number = 0; number < 4; number += 1) expect((await pool.run(short)).kind).toBe('opened');
  expect(loweredThreads()).toBe(0);
});

test.skipIf(!canBeLowered)('[CV28] so does the thread that calculates for a long task', async () => {
  const slow = 'REDUCE(0,SEQUENCE(9999),LAMBDA(a,x,SUM(a,SEQUENCE(9999,,x))))';
  const set = { op: 'set', sheet: 's1', cells: [[0, 1, { f: slow }]] } as const;
  const result = await lowerDuring(
    {
      ...{ kind: 'assemble', model: cellKind.model.name, source: buildXlsx([[1]]), media: {} },
      ...{ checkpoint: null, wantsCheckpoint: false, changes: [cellModel.encode('client', set, 0)] },
    },
    2,
  );
  expect(result.kind).toBe('assembled');
  expect(loweredThreads()).toBe(0);
});
