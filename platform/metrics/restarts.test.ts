import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { RestartMetrics } from './restarts.ts';

const valuesOf = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith('quire_restarts_total'));

test('[LN7] restarts are counted by kind, those of the server by what its supervisor says', async () => {
  const registry = new Registry();
  const restarts = new RestartMetrics(registry, { QUIRE_RESTARTS: '2' });
  restarts.restarted('worker');
  expect(await valuesOf(registry)).toEqual([
    'quire_restarts_total{kind="server"} 2',
    'quire_restarts_total{kind="worker"} 1',
    'quire_restarts_total{kind="converter"} 0',
  ]);
});

test('[LN7] without a supervisor each kind begins with none', async () => {
  const registry = new Registry();
  new RestartMetrics(registry, {});
  for (const line of await valuesOf(registry)) expect(line).toMatch(/ 0$/);
});
