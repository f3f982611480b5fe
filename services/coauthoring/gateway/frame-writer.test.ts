import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FrameWriter } from './frame-writer.ts';

/** A socket and what was written to it at once. */
function socketOf() {
  const written: string[] = [];
  let corked: string | null = null;
  const state = { readyState: WebSocket.OPEN as 0 | 1 | 2 | 3, bufferedAmount: 0 };
  const socket = {
    write: (bytes: Buffer) => {
      if (corked === null) written.push(bytes.toString());
      else corked += bytes.toString();
      return true;
    },
    cork: () => {
      corked = '';
    },
    uncork: () => {
      written.push(corked!);
      corked = null;
    },
  };
  return { webSocket: Object.assign(state, { _socket: socket as never }), written };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('[GW26] what goes to a peer in a turn leaves in order with one write when the turn ends', async () => {
  const writer = new FrameWriter();
  const one = socketOf();
  const other = socketOf();
  for (const text of ['a', 'b', 'c']) writer.write(one.webSocket, Buffer.from(text));
  writer.write(other.webSocket, Buffer.from('d'));
  await Promise.resolve();
  expect([one.written, other.written]).toEqual([[], []]);
  await turn();
  expect([one.written, other.written]).toEqual([['abc'], ['d']]);
  writer.write(one.webSocket, Buffer.from('e'));
  await turn();
  expect(one.written).toEqual(['abc', 'e']);
});

test('[GW26] what waits is counted, much of it does not wait, and nothing is written to a peer that is going', async () => {
  const writer = new FrameWriter();
  const { webSocket, written } = socketOf();
  writer.write(webSocket, Buffer.from('ab'));
  webSocket.bufferedAmount = 3;
  expect(writer.queuedBytes(webSocket)).toBe(5);
  writer.write(webSocket, Buffer.alloc(70_000, 'x'));
  expect(written).toEqual([`ab${'x'.repeat(70_000)}`]);
  expect(writer.queuedBytes(webSocket)).toBe(3);
  writer.write(webSocket, Buffer.from('c'));
  writer.flush(webSocket);
  expect(written.length).toBe(2);
  writer.write(webSocket, Buffer.from('d'));
  webSocket.readyState = WebSocket.CLOSING;
  await turn();
  expect(written.length).toBe(2);
});
