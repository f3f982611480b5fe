import { expect, it } from 'vitest';
import { monitorStream } from './monitor-stream.ts';
import { randomFrom } from './random.ts';

it('[LD39] of a pair of monitors both speak, and the pair as often as it is said', () => {
  const spoken = [0, 0, 0, 0];
  const actors = spoken.map((_, who) => ({ act: () => void spoken[who]!++ }));
  const stream = monitorStream(
    [
      [actors[0]!, actors[1]!],
      [actors[2]!, actors[3]!],
    ],
    1,
    5_000,
    randomFrom(1),
  );
  while (stream.nextAtMs < 5_000 + 20_000) stream.take();
  expect(spoken).toEqual([10, 10, 10, 10]);
});
