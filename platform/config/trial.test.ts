import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type ConfigError,
  configWarnings,
  isTrial,
  listeningHosts,
  listeningNotice,
  loadConfig,
  servesExample,
} from '../config.ts';

type Environment = Readonly<Record<string, string>>;

const setUp = { DATABASE_URL: 'postgres://db.test/quire', PUBLIC_URL: 'https://docs.test' };

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

test.each<[Environment, boolean]>([
  [{}, true],
  [{ PORT: '9000', JWT_SECRET: 'secret', HOST: '0.0.0.0' }, true],
  [{ DATABASE_URL: setUp.DATABASE_URL }, false],
  [{ PUBLIC_URL: setUp.PUBLIC_URL }, false],
])('[CF10] with %o it is a trial: %s', (environment, expected) => {
  const config = loadConfig(environment);
  expect(isTrial(config)).toBe(expected);
  expect(servesExample(config)).toBe(expected);
});

test.each<[Environment, readonly (string | undefined)[], boolean]>([
  [{}, ['127.0.0.1', '::1'], true],
  [{ HOST: 'localhost' }, ['127.0.0.1', '::1'], false],
  [{ HOST: '0.0.0.0' }, ['0.0.0.0'], false],
  [{ DATABASE_URL: setUp.DATABASE_URL }, [undefined], false],
  [{ ...setUp, HOST: '127.0.0.1' }, ['127.0.0.1'], false],
])('[CF11] with %o it listens at %j', (environment, hosts, isSaid) => {
  const config = loadConfig(environment);
  expect(listeningHosts(config)).toEqual(hosts);
  expect(listeningNotice(config)?.includes('HOST=0.0.0.0') ?? false).toBe(isSaid);
});

const weak = [
  'secret',
  'verysecretstring',
  'changeme',
  'Change_Me_Please_123',
  'my_jwt_secret',
  'your-256-bit-secret',
  'a-string-secret-at-least-256-bits-long',
  'a-secret-of-at-least-32-characters',
  'secretsecretsecretsecretsecretsecret',
  '12345678901234567890123456789012',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'Xk2!pQ9',
];

test.each(weak)(
  '[CF12] a server that is set up does not start with the secret %s; a trial does',
  (secret) => {
    for (const name of ['JWT_SECRET', 'JWT_SECRET_INBOX', 'JWT_SECRET_OUTBOX', 'JWT_SECRET_PREVIOUS']) {
      const problems = problemsOf({ ...setUp, [name]: secret });
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} .*openssl rand`))]);
      if (secret.length > 20) expect(problems.join()).not.toContain(secret);
      expect(problemsOf({ [name]: secret })).toEqual([]);
    }
  },
);

test('[CF12] secrets of chance are taken, and processes of a trial have its secrets', () => {
  for (let round = 0; round < 200; round += 1) {
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(problemsOf({ ...setUp, JWT_SECRET: randomBytes(16).toString(form) })).toEqual([]);
    }
  }
  for (const JWT_SECRET of [
    '!$%&/()=?+*#-_.:,;<>|^',
    'пятнадцать человек на сундук',
    'correct horse battery staple',
  ]) {
    expect(problemsOf({ ...setUp, JWT_SECRET })).toEqual([]);
  }
  expect(problemsOf({ ...setUp, JWT_SECRET: 'secret', QUIRE_PARENT: '7' })).toEqual([]);
});

test('[CF13] a server that is set up is told that PUBLIC_URL is missing; a trial is not', () => {
  const told = (environment: Environment) => configWarnings(loadConfig(environment)).join();
  expect(told({ DATABASE_URL: setUp.DATABASE_URL })).toContain('PUBLIC_URL is not set');
  expect(told(setUp)).not.toContain('PUBLIC_URL');
  expect(told({})).not.toContain('PUBLIC_URL');
});
