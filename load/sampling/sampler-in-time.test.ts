import { expect, it } from 'vitest';
import type { Sample } from '../result.ts';
import { SamplerInTime } from './sampler-in-time.ts';

it('[LR4] a target that answers late holds up no interval, and what it says is of the next one', async () => {
  const answers: ((sample: Sample) => void)[] = [];
  const sampler = new SamplerInTime({
    sample: () => new Promise((resolve) => void answers.push(resolve)),
  });
  const sampleOf = (value: number): Sample => ({
    values: [{ name: 'a', title: 'A', unit: '', group: 'A', value }],
    processes: [],
  });
  const soon = sampler.sample();
  answers[0]!(sampleOf(1));
  expect(await soon).toEqual(sampleOf(1));
  expect(await sampler.sample()).toEqual({ values: [], processes: [] });
  expect(await sampler.sample()).toEqual({ values: [], processes: [] });
  expect(answers).toHaveLength(2);
  answers[1]!(sampleOf(2));
  expect(await sampler.sample()).toEqual(sampleOf(2));
  expect(answers).toHaveLength(2);
});
