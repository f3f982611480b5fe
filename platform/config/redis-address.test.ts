import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { readRedisAddress } from './redis-address.ts';

const plain = {
  tls: false,
  username: undefined,
  password: undefined,
  database: 0,
  masterName: '',
  sentinelUsername: undefined,
  sentinelPassword: undefined,
};
const local = [{ host: 'localhost', port: 6379 }];

describe('addresses of Redis', () => {
  test.each([
    ['redis://localhost', { ...plain, kind: 'server', hosts: local }],
    [
      'redis://localhost:7000/3',
      { ...plain, kind: 'server', hosts: [{ host: 'localhost', port: 7000 }], database: 3 },
    ],
    ['redis://:p%40ss%2F@localhost', { ...plain, kind: 'server', hosts: local, password: 'p@ss/' }],
    [
      'rediss://ann:a:b@localhost/',
      { ...plain, kind: 'server', hosts: local, tls: true, username: 'ann', password: 'a:b' },
    ],
    ['redis://[::1]:7000', { ...plain, kind: 'server', hosts: [{ host: '::1', port: 7000 }] }],
    ['redis+cluster://localhost', { ...plain, kind: 'cluster', hosts: local }],
    [
      'rediss://x@a:1,b,[::2]:3',
      {
        ...plain,
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
          { host: '::2', port: 3 },
        ],
        tls: true,
        username: 'x',
      },
    ],
    [
      'redis+sentinel://u:p@a,b:5/my%20master/2?sentinel_password=q',
      {
        ...plain,
        kind: 'sentinel',
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 5 },
        ],
        username: 'u',
        password: 'p',
        masterName: 'my master',
        database: 2,
        sentinelPassword: 'q',
      },
    ],
  ])('[RD10] %s', (text, address) => {
    expect(readRedisAddress(text)).toEqual(address);
  });

  test.each([
    'http://localhost',
    'redis://',
    'redis://localhost/x',
    'redis://localhost/1/2',
    'redis://a,b/1',
    'redis://a:99999',
    'redis://a:0',
    'redis://%zz@a',
    'redis://a,,b',
    'redis://a?family=6',
    'redis+sentinel://a',
    'redis+sentinel://a/master?password=x',
  ])('[RD11] %s is refused by name', (text) => {
    expect(() => loadConfig({ REDIS_URL: text })).toThrow(/REDIS_URL (must|has|names)/);
  });

  test('[RD11] no text at all breaks the reading, and a problem never repeats a password', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('', 'redis://', 'rediss://u:secret-word@', 'redis+sentinel://a,'),
        (rest, start) => {
          const read = readRedisAddress(start + rest);
          if ('problem' in read) expect(read.problem).not.toContain('secret-word');
          else expect(read.hosts.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
