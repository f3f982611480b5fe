import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { growthPercent } from './heap-room.ts';

const megabyte = 1024 * 1024;

test('[CF23] a heap grows by the same room, whatever lives in it, within bounds', () => {
  expect(growthPercent(256 * megabyte)).toBe(100);
  expect(growthPercent(128 * megabyte)).toBe(200);
  expect(growthPercent(10 * megabyte)).toBe(300);
  expect(growthPercent(4096 * megabyte)).toBe(20);
});

test('[CF23] V8 looks for garbage in the whole heap when there is as much as the room', async () => {
  const source = await readFile(new URL('./heap-room.ts', import.meta.url), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  // V8's options are those of a process.
  const script = `${code}; giveHeapRoom(); await (${fillHeap})()`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const grownTo = JSON.parse(stdout) as number[];
  // The first collections came before it was known what lives, which is 160 MB.
  const [least, most] = [160 + 180, 160 + 360];
  for (const size of grownTo.slice(2)) expect(size > least && size < most, stdout).toBe(true);
});

/** Replaces what lives after it has grown old, and prints how large the heap was before each collection of all of it, MB. */
async function fillHeap(): Promise<void> {
  const kilobyte = () => new Array<number>(128).fill(1.5);
  const living = Array.from({ length: 160_000 }, kilobyte);
  const grownTo: number[] = [];
  let before = 0;
  for (let at = 0; grownTo.length < 4; at = (at + 1) % living.length) {
    living[at] = kilobyte();
    if (at % 1_000 > 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    const used = process.memoryUsage().heapUsed / 2 ** 20;
    if (used < before - 100) grownTo.push(Math.round(before));
    before = used;
  }
  process.stdout.write(JSON.stringify(grownTo), () => process.exit());
}
