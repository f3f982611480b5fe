import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { loadConfig } from './config.ts';
import { currentTrace, Sampled, startTracing, traced, tracedRequest } from './tracing.ts';

afterEach(() => vi.unstubAllEnvs());

test('[TC3] without an address work runs as it is, and nothing is recorded', async () => {
  const warn = vi.fn();
  const stop = await startTracing(loadConfig({}), 'quire', { warn });
  expect(await traced('work', {}, async () => currentTrace())).toBeUndefined();
  await expect(traced('work', {}, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  const next = vi.fn();
  expect(tracedRequest('request', {}, next)).toBeNull();
  expect(next).toHaveBeenCalledOnce();
  await stop();
});

test('[TC3] a collector that is away holds up neither work nor the stop, and is told of', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const address = `http://127.0.0.1:${(gone.address() as { port: number }).port}`;
  gone.close();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', address);
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500');
  const warn = vi.fn();
  const stop = await startTracing(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: address }), 'quire', { warn });
  const saves = new Sampled('save', 2);
  const traces = [];
  for (let count = 0; count < 4; count += 1) traces.push(await saves.around({}, async () => currentTrace()));
  expect(traces.map((trace) => trace !== undefined)).toEqual([false, true, false, true]);
  await expect(traced('work', {}, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  await eventually(() => expect(warn).toHaveBeenCalled());
  expect(warn).toHaveBeenCalledWith({ reason: expect.any(String) }, 'Traces could not be sent');
  await stop();
  expect(await traced('work', {}, async () => currentTrace())).toBeUndefined();
});
