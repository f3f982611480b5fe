import { Redis } from 'ioredis';
import { pino } from 'pino';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { redisFailure } from '../../platform/adapters/redis/redis-failure.ts';
import { readRedisAddress } from '../../platform/config/redis-address.ts';
import { SetupError } from '../../platform/quire-error.ts';
import { type Finding, fail, ok, roundTripMs, skip, warn } from './finding.ts';

const timeoutMs = 5_000;
const pings = 5;
const slowMs = 10;
const oldestMajor = 6;

/** Whether the Redis of `REDIS_URL` can keep jobs and shared values. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined)
    return [skip('REDIS_URL is not set: there is one node, and jobs are kept in the database')];
  const address = readRedisAddress(url);
  if ('problem' in address) return [fail(`REDIS_URL ${address.problem}`, 'Correct REDIS_URL.')];
  if (address.kind !== 'server') return checkSeveral(url);
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  });
  let broken: Error | undefined;
  redis.on('error', (error: Error) => {
    broken ??= error;
  });
  try {
    await redis.connect();
    return await examine(redis);
  } catch (error) {
    const { host, port } = address.hosts[0]!;
    return [failureFinding(redisFailure(broken ?? (error as Error), `${host}:${port}`))];
  } finally {
    redis.disconnect();
  }
}

/** For a cluster, or a server that sentinels name. */
async function checkSeveral(url: string): Promise<Finding[]> {
  try {
    const connection = await RedisConnection.connect(url, pino({ level: 'silent' }), timeoutMs);
    try {
      return await examine(connection.commands);
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof SetupError) return [failureFinding(error)];
    throw error;
  }
}

const failureFinding = ({ message, remedy }: SetupError): Finding => fail(message, remedy);

type Examined = Pick<Redis, 'info' | 'ping' | 'cluster'>;

async function examine(redis: Examined): Promise<Finding[]> {
  const info = fieldsOf(await redis.info());
  const version = info.get('redis_version') ?? '';
  const findings: Finding[] = [];
  if (Number.parseInt(version, 10) < oldestMajor) {
    findings.push(fail(`Redis ${version} is too old`, `Use version ${oldestMajor} or later.`));
  } else findings.push(ok(`Redis ${version} answers`));
  findings.push(policyFinding(info.get('maxmemory_policy')));
  if (info.get('role') === 'slave') {
    findings.push(fail('This Redis is a replica, which takes no changes', 'Name the primary in REDIS_URL.'));
  }
  if (info.get('cluster_enabled') === '1') findings.push(await clusterFinding(redis));
  findings.push(await latencyFinding(redis));
  return findings;
}

function policyFinding(policy: string | undefined): Finding {
  if (policy === undefined) {
    return warn(
      'Redis does not say what it does when its memory is full',
      'Set maxmemory-policy noeviction.',
    );
  }
  if (policy === 'noeviction') return ok('It drops nothing when its memory is full (noeviction)');
  return warn(
    `It drops jobs and locks when its memory is full (${policy})`,
    'Set maxmemory-policy noeviction.',
  );
}

async function clusterFinding(redis: Examined): Promise<Finding> {
  const info = fieldsOf(String(await redis.cluster('INFO')));
  const state = info.get('cluster_state');
  if (state === 'ok') return ok(`The cluster is complete, ${info.get('cluster_size')} shards`);
  return fail(
    `The cluster is not complete (${state})`,
    'See CLUSTER INFO: all 16384 slots need a node that answers.',
  );
}

async function latencyFinding(redis: Examined): Promise<Finding> {
  const shortestMs = await roundTripMs(pings, () => redis.ping());
  const sentence = `It takes ${shortestMs.toFixed(1)} ms to answer`;
  return shortestMs < slowMs ? ok(sentence) : warn(`${sentence}; every lock waits for it`, 'Put it nearer.');
}

/** The lines `name:value` of an answer to INFO. */
function fieldsOf(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
