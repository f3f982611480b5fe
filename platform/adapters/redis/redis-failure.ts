import { SetupError } from '../../quire-error.ts';

/**
 * Why a Redis cannot be used, with what to do. `at`: its hosts and ports, for people. Codes: `redis-refused`, `redis-host`,
 * `redis-password`, `redis-rights`, and `redis-failed` for all else. No password is repeated.
 */
export function redisFailure(error: NodeJS.ErrnoException, at: string): SetupError {
  const [code, sentence, remedy] = reasonOf(error, at);
  return new SetupError(code, { setting: 'REDIS_URL', sentence, remedy });
}

/** By errors of sockets, and by the first word of what Redis answers. */
function reasonOf(
  { code, message }: NodeJS.ErrnoException,
  at: string,
): [code: string, sentence: string, remedy: string] {
  if (code === 'ECONNREFUSED') {
    return [
      'redis-refused',
      `Nothing listens at ${at}`,
      'Start Redis, or correct host and port in REDIS_URL.',
    ];
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return [
      'redis-host',
      `The name ${at.replace(/:\d+$/, '')} is not known here`,
      'Correct the host in REDIS_URL.',
    ];
  }
  if (/NOAUTH|WRONGPASS|invalid password/i.test(message)) {
    return [
      'redis-password',
      `Redis at ${at} refuses the password`,
      'Put user and password into REDIS_URL, percent-encoded.',
    ];
  }
  if (/NOPERM/.test(message)) {
    return [
      'redis-rights',
      `The user may not use Redis at ${at}: ${message}`,
      'Give it the commands in its ACL.',
    ];
  }
  return [
    'redis-failed',
    `Redis at ${at} cannot be used: ${message}`,
    'Correct REDIS_URL; rediss:// is for TLS.',
  ];
}
