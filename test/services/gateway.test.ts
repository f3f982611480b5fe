import { type EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.ts';
import { PollingClient } from '../support/polling-client.ts';
import { RawClient } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

const strangersAllowed = 50;
const authTimeoutMs = 4_000;
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({
    environment: {
      MAX_UNAUTHENTICATED_SOCKETS: String(strangersAllowed),
      HANDSHAKE_TIMEOUT_MS: '1000',
      AUTH_TIMEOUT_MS: String(authTimeoutMs),
      OUTBOUND_QUEUE_BYTES: '4000000',
      WS_MAX_PAYLOAD_BYTES: '2000000',
    },
  });
});
afterAll(() => scene?.close());

/** Somebody who works on another document and must notice nothing. */
async function bystander() {
  const { key, ann, bob } = await scene.pair();
  let count = 0;
  return async () => {
    count += 1;
    await save(ann.client, [`${count};a`], {}, count - 1);
    await bob.client.next('saveChanges', ({ changesIndex }) => changesIndex === count);
    expect(await scene.storedChanges(key)).toHaveLength(count);
  };
}

const memoryBytes = () => scene.metric('quire_process_resident_memory_bytes');
/** Resolves when a connection has ended, however it did. */
const isClosed = (socket: EventEmitter) => {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', resolve));
};
const open = (key = 'k') => RawClient.open(scene.quire.address, key).then((client) => scene.keep(client));

describe('what is not in the protocol', () => {
  it('[GW1] what is no packet of the protocol ends the connection', async () => {
    const undisturbed = await bystander();
    for (const frame of [
      '42["message",{"type":',
      '42["other",{}]',
      '42{}',
      '421["message",{}]',
      '451-["message",{}]',
      '40/x,',
      'x',
    ]) {
      const { client } = await scene.join(scene.newKey(), 'ann');
      client.sendFrame(frame);
      await client.closed;
    }
    await undisturbed();
  });

  it('[GW2] a message with wrong fields ends the connection with a reason that repeats nothing of it', async () => {
    const undisturbed = await bystander();
    const wrong = [
      null,
      7,
      [],
      {},
      { type: 7 },
      { type: 'x'.repeat(100) },
      { type: 'getLock', block: 'SECRET' },
      { type: 'getLock', block: [{ noGuid: 'SECRET' }] },
      { type: 'getLock', block: ['__proto__'] },
      { type: 'isSaveLock', syncChangesIndex: 'SECRET' },
      { type: 'saveChanges', changes: ['SECRET'] },
      { type: 'saveChanges', changes: '[]', deleteIndex: 1.5 },
      { type: 'message', message: { text: 'SECRET' } },
      { type: 'cursor', cursor: 7 },
      { type: 'unLockDocument', deleteIndex: '0' },
      { type: 'openDocument', message: 'SECRET' },
    ];
    for (const message of wrong) {
      const { client } = await scene.join(scene.newKey(), 'ann');
      client.sendFrame(`42["message",${JSON.stringify(message)}]`);
      const { code, description } = await client.next('disconnectReason');
      expect([message, code]).toEqual([message, 4004]);
      expect(description).not.toContain('SECRET');
      expect((await client.closed).dismissed).toBe(true);
    }
    await undisturbed();
  });

  it('[GW3] an unknown type is told and changes nothing', async () => {
    const { client } = await scene.join(scene.newKey(), 'ann');
    for (const type of ['versionHistory', 'updateVersion', 'constructor', 'toString']) {
      client.send({ type });
      await client.next('warning', ({ message }) => message === 'unknown message type');
    }
    await save(client, ['1;a']);
  });

  it('[GW4] an address, version or session that is unknown is refused by HTTP', async () => {
    const at = async (path: string) => {
      const response = await fetch(`${scene.quire.address}${path}`);
      return [response.status, await response.json()];
    };
    expect(await at('/doc/k/c/?EIO=4&transport=carrier-pigeon')).toEqual([
      400,
      { code: 0, message: 'Transport unknown' },
    ]);
    expect(await at('/doc/k/c/?EIO=4&transport=polling&sid=x')).toEqual([
      400,
      { code: 1, message: 'Session ID unknown' },
    ]);
    expect(await at('/doc/k/c/?EIO=3&transport=polling')).toEqual([
      400,
      { code: 5, message: 'Unsupported protocol version' },
    ]);
    const refusalOf = async (path: string) => {
      const socket = new WebSocket(`${scene.quire.address.replace('http', 'ws')}${path}`);
      const [error] = await once(socket, 'error');
      return String(error);
    };
    expect(await refusalOf('/elsewhere')).toContain('404');
    for (const version of ['EIO=3&', '']) {
      expect(await refusalOf(`/doc/k/c/?${version}transport=websocket`)).toContain('400');
    }
  });
});

describe('limits', () => {
  it('[GW5] a message of a stranger beyond a million bytes ends its connection', async () => {
    const undisturbed = await bystander();
    const stranger = await open();
    await stranger.join();
    stranger.send({ type: 'auth', token: 'x'.repeat(1_100_000), user: {} });
    await stranger.closed;
    const plain = await RawClient.open(scene.quire.address, 'k', { transport: 'plain' });
    plain.send({ type: 'auth', token: 'x'.repeat(1_100_000), user: {} });
    await plain.closed;
    const polling = await PollingClient.open(scene.quire.address, 'k');
    await expect(polling.send({ type: 'auth', token: 'x'.repeat(1_100_000), user: {} })).rejects.toThrow(
      '413',
    );
    await undisturbed();
  });

  it('[GW6] a message of a hundred megabytes ends its connection, and memory stays bounded', async () => {
    const undisturbed = await bystander();
    const before = await memoryBytes();
    const { key, ann } = await scene.pair();
    await takeSaveLock(ann.client);
    ann.client.sendZeros(100_000_000);
    expect((await ann.client.closed).dismissed).toBe(false);
    expect((await memoryBytes()) - before).toBeLessThan(60_000_000);
    expect(await scene.storedChanges(key)).toEqual([]);
    await undisturbed();
  });

  it('[GW7] a message just below the limit is taken', async () => {
    const { key, ann } = await scene.pair();
    const large = 'x'.repeat(1_999_000);
    await save(ann.client, [large]);
    expect(await scene.storedChanges(key)).toEqual([large]);
  });

  it('[GW8] of a thousand strangers those who are too many go, disturb nobody, and all are gone after their time', async () => {
    const undisturbed = await bystander();
    const sockets = Array.from(
      { length: 1_000 },
      (_, index) =>
        new WebSocket(
          `${scene.quire.address.replace('http', 'ws')}${index % 2 ? '/doc/k/c/?EIO=4&transport=websocket' : '/ws/k'}`,
        ),
    );
    const closed = sockets.map(isClosed);
    await undisturbed();
    expect(await scene.metric('quire_unauthenticated_connections')).toBeLessThanOrEqual(strangersAllowed);
    await Promise.all(closed);
    await eventually(
      () => scene.metric('quire_unauthenticated_connections'),
      (count) => count === 0,
    );
    expect(
      await scene.metric('quire_unauthenticated_connections_ended_total{reason="crowded"}'),
    ).toBeGreaterThan(0);
    await scene.join(scene.newKey(), 'ann');
  });

  it('[GW9] who signed in is no stranger any more and stays, also when its session was refused', async () => {
    const { ann, bob } = await scene.pair();
    ann.client.cut();
    await save(bob.client, ['1;b']);
    const refused = await scene.connect(ann.client.key);
    refused.send(scene.returningMessage(ann));
    await refused.next('error');
    const stranger = await open();
    await stranger.closed;
    await save(bob.client, ['2;b'], {}, 1);
    refused.send({ type: 'openDocument', message: { c: 'open' } });
    await refused.next('documentOpen');
  });

  it.each(['socket.io', 'plain', 'polling'] as const)(
    '[GW10] a peer that stops reading (%s) is cut off and holds nobody up',
    async (transport) => {
      const { key, ann, bob } = await scene.pair();
      if (transport === 'polling') {
        const slow = await PollingClient.open(scene.quire.address, key);
        await slow.send(scene.authMessage(key, 'slow', { supportAuthChangesAck: false }));
        await slow.next('auth');
        slow.stopReading();
      } else {
        const slow = await scene.join(key, 'slow', {}, { transport });
        slow.client.stopReading();
      }
      const gone = ann.client.next('connectState', ({ participants }) => participants.length === 2);
      let isGone = false;
      gone.then(
        () => {
          isGone = true;
        },
        () => undefined,
      );
      const piece = 'x'.repeat(500_000);
      let index = 0;
      while (!isGone && index < 100) {
        await save(ann.client, [piece], {}, index);
        index += 1;
        await bob.client.next('saveChanges', ({ changesIndex }) => changesIndex === index);
      }
      await gone;
      expect(index).toBeLessThan(100);
      expect(await scene.storedChanges(key)).toHaveLength(index);
    },
  );

  it('[GW11] a peer that says nothing at all is not kept', async () => {
    const { hostname, port } = new URL(scene.quire.address);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      'GET /doc/k/c/?EIO=4&transport=websocket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n',
    );
    socket.write(
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nHost: x\r\n\r\n',
    );
    socket.resume();
    await eventually(
      async () => socket.closed,
      (isClosed) => isClosed,
    );
  });
});

describe('one address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const handshake = (address: string) =>
    fetch(`${scene.quire.address}/doc/k/c/?EIO=4&transport=polling`, { headers: from(address) });

  it('[GW17] shuts nobody out with handshakes that say nothing, nor those who are coming in, nor itself', async () => {
    for (let round = 0; round < 5; round += 1) {
      // Each has to sign in before its time is over, so nobody waits for all rounds.
      const early = scene.keep(await RawClient.open(scene.quire.address, 'k', { headers: from('10.0.0.9') }));
      await early.join();
      const answers = await Promise.all(
        Array.from({ length: strangersAllowed }, (_, index) =>
          handshake(index % 2 ? '198.51.100.7' : `2001:db8::${index}`),
        ),
      );
      expect(answers.map(({ status }) => status)).not.toContain(403);
      const newcomer = await RawClient.connect(scene.quire.address, 'k', { headers: from('198.51.100.8') });
      newcomer.cut();
      const own = await RawClient.connect(scene.quire.address, 'k', { headers: from('198.51.100.7') });
      own.cut();
      early.send(scene.authMessage(scene.newKey(), 'ann', { supportAuthChangesAck: false }));
      await early.next('auth');
    }
  });

  it('[GW17] shuts nobody out with requests that do not go on', async () => {
    const { hostname, port } = new URL(scene.quire.address);
    const heads = [
      '',
      'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      'POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{',
      'GET /doc/k/c/?EIO=4&transport=websocket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgr',
    ];
    const closed: Promise<unknown>[] = [];
    const sockets = Array.from({ length: 4 * strangersAllowed }, (_, index) => {
      const socket = connect(Number(port), hostname);
      closed.push(isClosed(socket));
      socket.write(heads[index % heads.length]!);
      socket.resume();
      return socket;
    });
    await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, 'connect') : undefined)));
    await Promise.race(closed);
    const left = () => sockets.filter((socket) => !socket.destroyed).length;
    await eventually(
      async () => left(),
      (count) => count <= strangersAllowed,
    );
    await scene.join(scene.newKey(), 'ann');
    for (const socket of sockets) socket.destroy();
  });

  // The time to sign in passes for these two at once.
  it.concurrent('[GW18] a handshake that says nothing goes before one that is signing in', async () => {
    const silent = await open();
    const begun = await open('begun');
    await begun.join();
    const ended = { silent: false };
    void silent.closed.then(() => {
      ended.silent = true;
    });
    await begun.closed;
    expect(ended.silent).toBe(true);
    const reason = 'quire_unauthenticated_connections_ended_total{reason="silent"}';
    expect(await scene.metric(reason)).toBeGreaterThan(0);
  });

  it.concurrent('[GW19] a poll of a stranger that is too large or does not go on is cut off', async () => {
    const polling = async (body: string, length: number) => {
      const { sid } = JSON.parse((await (await handshake('198.51.100.7')).text()).slice(1)) as {
        sid: string;
      };
      const { hostname, port } = new URL(scene.quire.address);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.resume();
      socket.write(
        `POST /doc/k/c/?EIO=4&transport=polling&sid=${sid} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`,
      );
      return socket;
    };
    const drip = await polling('4', 1_000);
    await isClosed(drip);
    // Whoever has sent all of it learns that the connection takes no other request.
    const sent = await polling('4'.repeat(3_000_000), 3_000_000);
    const ended = await Promise.race(['end', 'error'].map((event) => once(sent, event).then(() => event)));
    expect(ended).toBe('end');
    const before = await memoryBytes();
    const large = await polling('', 100_000_000);
    const piece = Buffer.alloc(1_000_000, '4');
    const pour = () => {
      while (!large.destroyed && large.write(piece));
      large.once('drain', pour);
    };
    pour();
    await isClosed(large);
    expect(large.bytesWritten).toBeLessThan(20_000_000);
    expect((await memoryBytes()) - before).toBeLessThan(60_000_000);
  });
});

describe('transports', () => {
  it('[GW12] the same messages go over a plain WebSocket, one per frame', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann', {}, { transport: 'plain' });
    expect(JSON.parse(ann.client.frames[0]!)).toMatchObject({ type: 'license' });
    const bob = await scene.joinBeside(ann.client, key, 'bob');
    await save(bob.client, ['1;b']);
    expect(await ann.client.next('saveChanges')).toMatchObject({ changesIndex: 1 });
    ann.client.sendFrame('{"type":');
    expect(await ann.client.next('disconnectReason')).toMatchObject({ code: 4004 });
    expect((await ann.client.closed).code).toBe(1000);
  });

  it('[GW13] the same messages go over long-polling', async () => {
    const key = scene.newKey();
    const ann = await PollingClient.open(scene.quire.address, key);
    await ann.next('license');
    await ann.send(scene.authMessage(key, 'ann', { supportAuthChangesAck: false }));
    await ann.next('auth');
    await ann.next('documentOpen');
    await ann.send({ type: 'isSaveLock', syncChangesIndex: 0 }, saveMessage(['1;a']));
    await ann.next('saveLock');
    expect(await ann.next('unSaveLock')).toMatchObject({ index: 0, syncChangesIndex: 1 });
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
    await ann.send({ type: 'getLock', block: 7 });
    await ann.next('disconnectReason');
    await ann.ended;
  });

  it('[GW15] a session that began with long-polling goes on over a WebSocket', async () => {
    const { key, ann } = await scene.pair();
    const polling = await PollingClient.open(scene.quire.address, key);
    await polling.send(scene.authMessage(key, 'carol', { supportAuthChangesAck: false }));
    await polling.next('documentOpen');
    polling.stopReading();
    const socket = new WebSocket(polling.upgradeUrl);
    const packets: string[] = [];
    socket.on('message', (data) => packets.push(String(data)));
    await once(socket, 'open');
    socket.send('2probe');
    await eventually(
      async () => packets,
      (all) => all.includes('3probe'),
    );
    socket.send('5');
    socket.send(`42["message",${JSON.stringify({ type: 'getLock', block: ['x'.repeat(1_000)] })}]`);
    await eventually(
      async () => packets,
      (all) => all.some((packet) => packet.startsWith('42["message",{"type":"getLock"')),
    );
    const large = 'y'.repeat(1_500_000);
    socket.send('42["message",{"type":"isSaveLock"}]');
    socket.send(`42["message",${JSON.stringify(saveMessage([large]))}]`);
    await ann.client.next('saveChanges');
    expect(await scene.storedChanges(key)).toEqual([large]);
    socket.close();
  });

  it('[GW14] type is the first member of every message, and saveLock the last of its own', async () => {
    const { ann, bob } = await scene.pair();
    ann.client.send({ type: 'getLock', block: ['p1'] });
    ann.client.send({ type: 'message', message: 'x' });
    ann.client.send({ type: 'cursor', cursor: 'x' });
    ann.client.send({ type: 'unLockDocument', releaseLocks: true });
    await save(ann.client, ['1;a']);
    await bob.client.next('saveChanges');
    bob.client.send({ type: 'close' });
    await bob.client.next('refreshToken');
    const messages = [...ann.client.frames, ...bob.client.frames].filter((frame) => frame.startsWith('42'));
    for (const frame of messages) expect(frame).toMatch(/^42\["message",\{"type":"/);
    expect(messages).toContain('42["message",{"type":"saveLock","saveLock":false}]');
  });
});
