import { afterEach, beforeEach, expect, it } from 'vitest';
import { LoadDoor } from '../test/support/load-door.ts';
import { HealthCheck } from './health-check.ts';
import { unpacked } from './meters.ts';

let door: LoadDoor;
beforeEach(async () => {
  door = await LoadDoor.start();
});
afterEach(() => door.stop());

it('[LD25] a health check passes by an answer of 200 in time, each over a connection of its own', async () => {
  const kept: (string | undefined)[] = [];
  door.onRequest = ({ url, headers }, response) => {
    kept.push(headers.connection);
    response.writeHead(url === '/healthcheck' ? 200 : 404).end('true');
  };
  const health = new HealthCheck(door.url);
  await health.ask();
  await health.ask();
  const { latencies, counts } = health.take();
  expect(unpacked(latencies.health!).totalCount).toBe(2);
  expect(counts).toEqual({});
  expect(kept).toEqual(['close', 'close']);
});

it('[LD25] it fails by another answer, by none in time and where no server is', async () => {
  const health = new HealthCheck(door.url, 50);
  door.onRequest = (_, response) => response.writeHead(503).end();
  await health.ask();
  door.onRequest = () => undefined;
  await health.ask();
  await new HealthCheck('http://127.0.0.1:9').ask();
  const { latencies, counts } = health.take();
  expect([latencies, counts]).toEqual([{}, { 'health.failed': 2 }]);
});
