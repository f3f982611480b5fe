import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PollingClient } from '../support/polling-client.ts';
import type { LogLine } from '../support/quire-process.ts';
import type { Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

const linesAllowed = 5;
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({
    environment: {
      CONNECTION_WORK_MS_PER_S: '10',
      CLIENT_LOG_LINES_PER_MINUTE: String(linesAllowed),
    },
  });
});
afterAll(() => scene?.close());

/** Has somebody ask for everything at once; another document is saved before most of it is done. */
async function flood(user: string, changes: Sent, message: (index: number) => Sent, answer: string) {
  const bystander = await scene.join(scene.newKey(), 'ann');
  const { client } = await scene.join(scene.newKey(), user, changes);
  const before = client.received.length;
  for (let index = 0; index < 2_000; index += 1) client.send(message(index));
  for (let index = 0; index < 20; index += 1) await save(bystander.client, [`${index};a`], {}, index);
  const answered = client.received.slice(before).filter(({ type }) => type === answer).length;
  expect(answered).toBeLessThan(1_000);
  client.cut();
}

describe('what one connection asks for', () => {
  it.each([
    ['openDocument', 'documentOpen', { c: 'open' }],
    ['openDocument', 'documentOpen', { c: 'pathurls', data: Array(1_000).fill('Editor.bin') }],
    ['rpc', 'rpc', { type: 'pathurls', data: ['Editor.bin'] }],
  ])('[GW20, GW21] a reader’s %s (%s) over and over holds nobody up', async (type, answer, asked) => {
    const message = type === 'rpc' ? { type, responseKey: 1, data: asked } : { type, message: asked };
    await flood('reader', { mode: 'view' }, () => message, answer);
    expect(await scene.metric('quire_peers_slowed_total{transport="engine_io"}')).toBeGreaterThan(0);
  });

  it('[GW20] an editor’s locks over and over hold nobody up', async () => {
    const blocks = (index: number) => Array.from({ length: 200 }, (_, at) => `p${index}-${at}`);
    await flood('editor', {}, (index) => ({ type: 'getLock', block: blocks(index) }), 'getLock');
  });

  it('[GW20] what comes by long-polling is read later as well, and answered', async () => {
    const key = scene.newKey();
    const polling = await PollingClient.open(scene.quire.address, key);
    await polling.send(scene.authMessage(key, 'ann', { supportAuthChangesAck: false }));
    await polling.next('documentOpen');
    const asked = { type: 'openDocument', message: { c: 'pathurl', data: 'Editor.bin' } };
    await polling.send(...Array(60).fill(asked));
    await polling.send({ type: 'rpc', responseKey: 7, data: { type: 'pathurls', data: [] } });
    expect(await polling.next('rpc')).toMatchObject({ responseKey: 7 });
  });

  it('[GW22] lines for the log are written up to a number; the rest is counted', async () => {
    const { client } = await scene.join(scene.newKey(), 'ann');
    for (let index = 0; index < 300; index += 1)
      client.send({ type: 'clientLog', level: 'error', msg: `${index}` });
    await client.settled();
    const isLine = ({ msg }: LogLine) => msg === 'A client logged';
    await scene.quire.logged(isLine);
    expect(scene.quire.log.filter(isLine).length).toBeLessThan(30);
    expect(await scene.metric('quire_client_log_lines_dropped_total')).toBeGreaterThan(270);
  });
});
