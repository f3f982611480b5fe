import type { SharedList } from '../../ports/coordination.ts';
import type { LeaseStore } from '../renewed-leases.ts';
import type { SharedValueStore, VersionedValue } from '../shared-coordination.ts';
import { type RedisConnection, RedisScript } from './redis-connection.ts';

/** Values without a step for this time are dropped; a step that changes nothing counts, too. */
const lifeMs = 24 * 3_600_000;

/**
 * KEYS: the values of a document. ARGV: name of the value; the version the new one was computed from; `keep`, `put` or `drop`;
 * the version and the value to put; the life of the values in milliseconds. Answers 1, or the version and value there are.
 */
const stepScript = new RedisScript(`
local version = redis.call('HGET', KEYS[1], 'version:' .. ARGV[1]) or ''
if version ~= ARGV[2] then
  return { version, redis.call('HGET', KEYS[1], 'value:' .. ARGV[1]) or '' }
end
if ARGV[3] == 'drop' then
  redis.call('HDEL', KEYS[1], 'version:' .. ARGV[1], 'value:' .. ARGV[1])
elseif ARGV[3] == 'put' then
  redis.call('HSET', KEYS[1], 'version:' .. ARGV[1], ARGV[4], 'value:' .. ARGV[1], ARGV[5])
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return 1
`);

/**
 * KEYS: a list. ARGV: the entry; most entries; most bytes; the life of the list in milliseconds. Before each entry stands how many
 * bytes there were up to its end since the list began, so that what is kept is known without reading all of it.
 */
const appendScript = new RedisScript(`
local function upTo(at)
  local kept = redis.call('LINDEX', KEYS[1], at)
  if not kept then return 0, 0 end
  local colon = string.find(kept, ':', 1, true)
  return tonumber(string.sub(kept, 1, colon - 1)), #kept - colon
end
local total = upTo(-1) + #ARGV[1]
local count = redis.call('RPUSH', KEYS[1], string.format('%.0f', total) .. ':' .. ARGV[1])
while count > 1 do
  local first, length = upTo(0)
  if count <= tonumber(ARGV[2]) and total - first + length <= tonumber(ARGV[3]) then break end
  redis.call('LPOP', KEYS[1])
  count = count - 1
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return count
`);

/** Shared values on Redis: those of a document are one hash, so that every step is one script on one shard; its lists are keys of their own. */
export class RedisSharedValues implements SharedValueStore {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** @throws RedisUnavailable */
  async compareAndPut(
    documentKey: string,
    name: string,
    expected: string,
    content: VersionedValue | null,
  ): Promise<VersionedValue | null> {
    const [version, value] = content ?? ['', ''];
    const action = content === null ? 'keep' : version === '' ? 'drop' : 'put';
    const args = [name, expected, action, version, value, lifeMs];
    const reply = await stepScript.run(this.#redis, this.#key(documentKey), args);
    return reply === 1 ? null : (reply as [string, string]);
  }

  /** @throws RedisUnavailable */
  async append(documentKey: string, list: SharedList, entry: string): Promise<void> {
    const { name, mostEntries, mostBytes } = list;
    const args = [entry, mostEntries, mostBytes, lifeMs];
    await appendScript.run(this.#redis, this.#listKey(documentKey, name), args);
  }

  /** @throws RedisUnavailable */
  async entries(documentKey: string, name: string): Promise<readonly string[]> {
    const kept = await this.#redis.run((client) => client.lrange(this.#listKey(documentKey, name), 0, -1));
    return kept.map((entry) => entry.slice(entry.indexOf(':') + 1));
  }

  /** @throws RedisUnavailable */
  async clear(documentKey: string, name: string): Promise<void> {
    await this.#redis.run((client) => client.unlink(this.#listKey(documentKey, name)));
  }

  #key(documentKey: string): string {
    return `${this.#prefix}:{${documentKey}}:cells`;
  }

  #listKey(documentKey: string, name: string): string {
    return `${this.#prefix}:{${documentKey}}:list:${name}`;
  }
}

/**
 * KEYS: the nodes by when their lease ends, in the server's time. ARGV: the own id; the length of a lease, milliseconds.
 * Answers whether the own lease ran until now, and the ids of all whose lease runs.
 */
const renewScript = new RedisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ended = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 10)
return { (ended and tonumber(ended) > now) and 1 or 0, redis.call('ZRANGE', KEYS[1], 0, -1) }
`);

/** Leases on Redis: one sorted set. */
export class RedisLeases implements LeaseStore {
  readonly #redis: RedisConnection;
  readonly #key: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#key = `${prefix}:{nodes}`;
  }

  /** @throws RedisUnavailable */
  async renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }> {
    const [ran, living] = (await renewScript.run(this.#redis, this.#key, [nodeId, leaseMs])) as [
      number,
      string[],
    ];
    return { ran: ran === 1, living };
  }
}
