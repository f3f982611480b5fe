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
});
