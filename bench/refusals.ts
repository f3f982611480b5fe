/**
 * Refusals: what it costs to ask somebody to come again, beside letting them in. Those who come to a server that is drained are
 * refused with the answers of the door: on the upgrade of a WebSocket, and in the form of Engine.IO to who polls. Each comes over a
 * connection of their own.
 *
 *     node dist/bench/refusals.js [--attempts 4000] [--at-once 16] [--decisions 200000]
 *
 * CPU time of the service for each. What the door takes to decide, which a drained server does not ask, is measured in this
 * process: of a door with two thousand who wait, where one is refused for each who comes.
 */
import './support/help.ts';

import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Door } from '../services/coauthoring/gateway/door.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { openWindow } from './support/load-window.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ attempts: 4_000, 'at-once': 16, decisions: 200_000 });
const token = 'of-the-benchmark-and-long-enough-for-an-operator';
const adminPort = 38_001;
const path = '/doc/refused/c/?shardkey=refused&EIO=4&transport=';
const head = `Host: 127.0.0.1\r\nOrigin: https://app.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0\r\n`;
const requests = {
  'WebSocket, 503 on the upgrade': `GET ${path}websocket HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: cXVpcmUgbG9hZCAxIGtleQ==\r\n\r\n`,
  'long polling, 503': `GET ${path}polling HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
};

await runBench(measure, { environment: { ADMIN_TOKEN: token, ADMIN_PORT: String(adminPort) } });

async function measure(bench: Bench): Promise<void> {
  await drain();
  const rows: Row[] = [];
  for (const [refused, request] of Object.entries(requests)) {
    progress(refused);
    await attempts(bench, request, options.attempts / 4);
    const close = await openWindow(bench.server);
    await attempts(bench, request, options.attempts);
    const { serviceMs, loadMs, otherMs } = await close();
    const each = (ms: number) => rounded(ms / options.attempts, 3);
    rows.push({
      refused,
      'service ms': each(serviceMs),
      'load ms': each(loadMs),
      'others ms': each(otherMs),
    });
  }
  report('refusals', options, rows, { 'decision ms': decisionMs() });
}

/** Has the only node send away who comes. */
async function drain(): Promise<void> {
  const ask = async (place: string, method: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${adminPort}/admin/api/${place}`, { method, headers });
    if (!answer.ok) throw new Error(`${method} ${place}: status ${answer.status}`);
    return answer.json();
  };
  const { nodes } = (await ask('nodes', 'GET')) as { nodes: { nodeId: string }[] };
  await ask(`nodes/${nodes[0]!.nodeId}/drain`, 'PUT');
}

async function attempts({ server }: Bench, request: string, count: number): Promise<void> {
  await inParallel(count, options['at-once'], async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end(request);
    const [answer] = await once(socket, 'data');
    if (!String(answer).startsWith('HTTP/1.1 503')) throw new Error(`not refused: ${answer}`);
    socket.resume();
    if (!socket.destroyed) await once(socket, 'close');
  });
}

/** What the door takes for each of those whom it refuses as too many wait. */
function decisionMs(): number {
  const counts = { admitted: () => undefined, refused: () => undefined };
  const door = new Door(({ url = '' }) => ({ tenant: url.slice(-1), network: '' }), counts);
  const come = (number: number) => {
    const request = { url: `${path}websocket&tenant=${number % 7}`, socket: new EventEmitter() };
    door.knock(request as unknown as IncomingMessage, { enter: () => undefined, refuse: () => undefined });
  };
  for (let number = 0; door.state.waiting < 2_000; number += 1) come(number);
  const before = process.cpuUsage();
  for (let number = 0; number < options.decisions; number += 1) come(number);
  const { user, system } = process.cpuUsage(before);
  door.stop();
  return rounded((user + system) / 1_000 / options.decisions, 4);
}
