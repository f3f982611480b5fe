import { describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { FakeClock } from './testing/fake-clock.ts';
import type { TransportHandlers } from './transports/transport.ts';

function world() {
  const clock = new FakeClock();
  const dialled: TransportHandlers[] = [];
  const seen: string[] = [];
  const connection = new Connection(
    {
      dial: (_credentials, handlers) => {
        dialled.push(handlers);
        return { send: () => seen.push('sent'), close: () => seen.push('closed') };
      },
      credentials: () => ({}),
      reconnect: { initialDelayMs: 100, maxDelayMs: 1_000, attempts: 3 },
      clock,
    },
    {
      up: () => seen.push('up'),
      message: (value) => seen.push(String(value)),
      down: () => seen.push('down'),
      end: (end) => seen.push(`end ${end.kind}`),
    },
  );
  return { clock, dialled, seen, connection };
}

describe('connection', () => {
  it('[C64] comes again no sooner than the server asks for, and within a minute', () => {
    for (const [askedMs, pauseMs] of [
      [5_000, 5_000],
      [10_000_000, 60_000],
    ] as const) {
      const { clock, dialled, connection } = world();
      connection.start();
      dialled[0]!.end({ kind: 'lost', detail: 'refused', retryAfterMs: askedMs });
      clock.advance(pauseMs - 1);
      expect(dialled).toHaveLength(1);
      clock.advance(1);
      expect(dialled).toHaveLength(2);
    }
  });

  it('[C59] nothing of an earlier transport reaches the session, even if the transport does not keep quiet', () => {
    const { clock, dialled, seen, connection } = world();
    connection.start();
    dialled[0]!.open();
    connection.restart('test');
    dialled[0]!.message('stale');
    dialled[0]!.end({ kind: 'lost', detail: 'stale' });
    clock.advance(100);
    dialled[1]!.open();
    dialled[0]!.end({ kind: 'dismissed' });
    dialled[1]!.message('fresh');
    expect(seen).toEqual(['up', 'closed', 'down', 'up', 'fresh']);
  });

  it('[C60] nothing is sent before a transport is open or after the end', () => {
    const { dialled, seen, connection } = world();
    expect(connection.send({ type: 'close' })).toBe(false);
    connection.start();
    expect(connection.send({ type: 'close' })).toBe(false);
    dialled[0]!.open();
    expect(connection.send({ type: 'close' })).toBe(true);
    dialled[0]!.end({ kind: 'dismissed' });
    expect(connection.send({ type: 'close' })).toBe(false);
    expect(seen).toEqual(['up', 'sent', 'closed', 'end dismissed']);
  });

  it('[C63] a transport that does not open in time is given up for another', () => {
    const { clock, dialled, seen, connection } = world();
    connection.start();
    clock.advance(20_000);
    expect(seen).toEqual(['closed', 'down']);
    clock.advance(100);
    dialled[1]!.open();
    clock.advance(60_000);
    expect(seen).toEqual(['closed', 'down', 'up']);
    expect(clock.pending).toBe(0);
  });

  /** A client on an open transport whose server lets its people go, and the transport that it has dialled for that. */
  function moving() {
    const parts = world();
    const { clock, dialled, connection } = parts;
    connection.start();
    dialled[0]!.open();
    connection.settled();
    connection.move();
    expect(dialled).toHaveLength(1);
    clock.advance(100);
    expect(dialled).toHaveLength(2);
    return parts;
  }

  it('[SU66] a client that is told to move is heard and served by its server until the next connection is open, and leaves it when the session goes on', () => {
    const { clock, dialled, seen, connection } = moving();
    connection.move();
    clock.advance(1_000);
    dialled[0]!.message('before');
    expect(connection.send({ type: 'close' })).toBe(true);
    expect(seen).toEqual(['up', 'before', 'sent']);
    dialled[1]!.open();
    dialled[0]!.message('stale');
    dialled[1]!.message('fresh');
    expect(seen.splice(3)).toEqual(['down', 'up', 'fresh']);
    connection.settled();
    expect(seen.splice(3)).toEqual(['closed']);
    dialled[0]!.end({ kind: 'lost', detail: 'left' });
    clock.advance(60_000);
    expect(dialled).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('[SU67] an attempt to move that fails, or does not open in time, is repeated while the connection goes on', () => {
    const { clock, dialled, seen } = moving();
    dialled[1]!.end({ kind: 'lost', detail: 'it was led back' });
    clock.advance(100);
    clock.advance(20_000);
    expect(seen).toEqual(['up', 'closed']);
    clock.advance(100);
    dialled[3]!.open();
    expect(seen).toEqual(['up', 'closed', 'down', 'up']);
  });

  it('[SU67] who is refused elsewhere stays until the connection ends', () => {
    const { clock, dialled, seen } = moving();
    dialled[1]!.end({ kind: 'refused', code: 4001, description: 'the token has ended' });
    clock.advance(60_000);
    expect(seen).toEqual(['up']);
    expect(dialled).toHaveLength(2);
    dialled[0]!.end({ kind: 'lost', detail: 'it stopped' });
    clock.advance(100);
    expect(dialled).toHaveLength(3);
  });

  it('[SU67] a connection that ends while the next one is dialled is followed by that one, and before that by the usual attempt', () => {
    const { clock, dialled, seen } = moving();
    dialled[0]!.end({ kind: 'lost', detail: 'it stopped' });
    expect(seen).toEqual(['up', 'down']);
    clock.advance(1_000);
    expect(dialled).toHaveLength(2);
    dialled[1]!.open();
    expect(seen).toEqual(['up', 'down', 'up']);

    const early = world();
    early.connection.start();
    early.dialled[0]!.open();
    early.connection.move();
    early.dialled[0]!.end({ kind: 'lost', detail: 'it stopped' });
    early.clock.advance(1_000);
    expect(early.dialled).toHaveLength(2);
  });

  it('[SU67] a client that ends while it moves leaves no connection behind', () => {
    for (const isOpen of [false, true]) {
      const { clock, dialled, seen, connection } = moving();
      if (isOpen) dialled[1]!.open();
      connection.stop();
      expect(seen.filter((what) => what === 'closed')).toHaveLength(2);
      expect(clock.pending).toBe(0);
    }
  });
});
