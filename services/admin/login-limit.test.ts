import { describe, expect, it } from 'vitest';
import { LoginLimit } from './login-limit.ts';

describe('guessing', () => {
  it('[AD2] has to wait after five failures, twice as long each time, up to five minutes', () => {
    let nowMs = 1_000_000;
    const limit = new LoginLimit(() => nowMs);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(limit.waitMs('guesser')).toBe(0);
      limit.failed('guesser');
    }
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000]) {
      expect(limit.waitMs('guesser')).toBe(pauseMs);
      expect(limit.waitMs('somebody else')).toBe(0);
      nowMs += pauseMs - 1;
      expect(limit.waitMs('guesser')).toBe(1);
      nowMs += 1;
      expect(limit.waitMs('guesser')).toBe(0);
      limit.failed('guesser');
    }
  });

  it('[AD2] begins anew after a success, or a quarter of an hour without a failure', () => {
    let nowMs = 1_000_000;
    const limit = new LoginLimit(() => nowMs);
    const quarterPasses = () => {
      nowMs += 900_000;
    };
    for (const forget of [() => limit.succeeded('one'), quarterPasses]) {
      for (let attempt = 0; attempt < 5; attempt += 1) limit.failed('one');
      expect(limit.waitMs('one')).toBe(1_000);
      forget();
      limit.failed('one');
      expect(limit.waitMs('one')).toBe(0);
      limit.succeeded('one');
    }
  });
});
