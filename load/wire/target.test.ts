import { describe, expect, it } from 'vitest';
import { localTarget, sourceAddress, targetOf } from './target.ts';

describe('the server that load is put on', () => {
  it.skipIf(process.platform !== 'linux')(
    '[LD8] connections to this machine come from many addresses of it',
    () => {
      const addresses = new Set(
        Array.from({ length: 100_000 }, (_, connection) => sourceAddress(localTarget(1), connection)),
      );
      expect(addresses.size).toBeGreaterThan(8_000);
      for (const address of addresses)
        expect(address).toMatch(/^127\.1\.\d{1,2}\.([1-9]|[1-9]\d|1[01]\d|12[0-8])$/);
    },
  );

  it('[LD8] connections to another machine come from where the system says', () => {
    expect(sourceAddress(targetOf('https://docs.example.com'), 5)).toBeUndefined();
    expect(sourceAddress(targetOf('http://[::1]:8000'), 5)).toBeUndefined();
  });

  it('[LD8] only addresses of this machine count as this machine', () => {
    for (const url of ['http://localhost:8000', 'http://127.0.0.1', 'http://127.9.9.9', 'http://[::1]:1']) {
      expect(targetOf(url).isLoopback, url).toBe(true);
    }
    for (const url of ['http://127.0.0.1.example.com', 'http://10.0.0.1', 'https://localhost.example.com']) {
      expect(targetOf(url).isLoopback, url).toBe(false);
    }
    expect(() => targetOf('ftp://localhost')).toThrow(TypeError);
  });
});
