import { describe, expect, it } from 'vitest';
import { timeOf, versionDays } from './version-days.ts';

const version = (number: number, created: string) => ({
  version: number,
  key: `k${number}`,
  created,
  user: { id: 'u', name: 'Ann' },
  serverVersion: undefined,
  changes: [],
});

describe('when versions were made', () => {
  it('[EH23] times are universal unless they say otherwise, and grouped by the reader’s day', () => {
    const versions = [
      version(4, '2026-03-02 23:30:00'),
      version(3, '2026-03-02T22:30:00Z'),
      version(2, '2026-03-02 10:00:00'),
      version(1, 'last summer'),
    ];
    expect(versionDays(versions, 'Europe/Berlin').map((day) => day.versions.length)).toEqual([1, 2, 1]);
    expect(versionDays(versions, 'UTC').map((day) => day.versions.length)).toEqual([3, 1]);
    const [first, , last] = versionDays(versions, 'Europe/Berlin');
    expect(first?.title).toBe('Tuesday, March 3, 2026');
    expect(first?.versions[0]?.time).toMatch(/^12:30\sAM$/);
    expect(last).toMatchObject({ title: 'last summer', versions: [{ time: '' }] });
    expect(timeOf('2026-03-02T10:00:00+02:00')?.toISOString()).toBe('2026-03-02T08:00:00.000Z');
    expect(timeOf('2026-99-99 10:00:00')).toBeNull();
  });
});
