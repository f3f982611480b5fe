import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { IpcChannel } from './ipc-channel.ts';

/** A channel whose messages leave when the test says so; `sent` has their names, in order. */
function held() {
  const sent: string[] = [];
  const leaving: (() => void)[] = [];
  const channel = new IpcChannel(
    {
      send: (message, socket, done) => {
        sent.push((message as { name: string }).name);
        if (socket) leaving.push(done!);
      },
      onMessage: () => undefined,
    },
    {},
  );
  return { channel, sent, leave: () => leaving.shift()!() };
}

test('[WK18] of many connections that are handed over one is under way at a time, and messages pass the others', () => {
  const { channel, sent, leave } = held();
  const sockets = ['a', 'b', 'c'].map((name) => {
    const socket = new Socket();
    expect(channel.give(name, socket)).toBe(true);
    return socket;
  });
  channel.notify('renew');
  expect(sent).toEqual(['a', 'renew']);
  leave();
  channel.notify('renew again');
  leave();
  expect(sent).toEqual(['a', 'renew', 'b', 'renew again', 'c']);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
  leave();
  expect(channel.give('d', new Socket())).toBe(true);
  expect(sent.at(-1)).toBe('d');
});

test('[WK18] those that wait are closed with the channel, and no more is given than the other end keeps up with', () => {
  const { channel, sent } = held();
  const sockets = Array.from({ length: 65 }, () => new Socket());
  expect(sockets.map((socket) => channel.give('one', socket)).indexOf(false)).toBe(64);
  channel.close();
  expect(sockets.map(({ destroyed }) => destroyed).indexOf(false)).toBe(64);
  expect(sent).toEqual(['one']);
});

test('[WK19] an answer that came while the event loop was late is read before its question fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let hear!: (message: unknown) => void;
  const channel = new IpcChannel(
    {
      send: () => undefined,
      onMessage: (listener) => {
        hear = listener;
      },
    },
    {},
  );
  const [late, never] = [channel.ask('renew'), channel.ask('put')];
  const failed = expect(never).rejects.toThrow('The other process did not answer: put');
  vi.advanceTimersByTime(60_000);
  hear({ quire: 'answer', id: 1, value: 'renewed' });
  await expect(late).resolves.toBe('renewed');
  await failed;
});
