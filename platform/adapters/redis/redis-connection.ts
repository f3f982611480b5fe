import { createHash } from 'node:crypto';
import { Cluster, type CommonRedisOptions, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { type RedisAddress, readRedisAddress } from '../../config/redis-address.ts';
import { QuireError } from '../../quire-error.ts';
import { late, within } from '../../within.ts';
import { redisFailure } from './redis-failure.ts';

/** A server that starts beside its Redis waits for it this long. */
const startPatienceMs = 30_000;

const beatEveryMs = 2_000;

/**
 * Redis did not answer in time, or the connection broke before it did: the command may or may not have been carried out.
 */
class RedisUnavailable extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('redis-unavailable', message, { ...options, retryable: true, level: 'error' });
  }
}

/** The connections of one process to Redis: one for commands, one for subscriptions, more for jobs. */
export class RedisConnection {
  readonly commands: RedisClient;
  readonly subscriptions: RedisClient;
  readonly #address;
  readonly #log: Logger;
  readonly #opened: RedisClient[] = [];
  readonly #pulse: NodeJS.Timeout;
  #isGathering = false;
  /** Hears of every command of `run`, and whether Redis has answered it. */
  onCommand: (durationMs: number, isAnswered: boolean) => void = () => undefined;

  private constructor(url: string, log: Logger) {
    const address = readRedisAddress(url);
    if ('problem' in address) throw new TypeError(`The address of Redis ${address.problem}`);
    this.#address = address;
    this.#log = log;
    this.commands = this.open('commands');
    this.subscriptions = this.open('subscriptions');
    this.#pulse = setInterval(() => this.#beat(), beatEveryMs);
    this.#pulse.unref();
  }

  /**
   * Connects, and waits for a Redis that is just starting.
   * @throws SetupError when there is none in time, or it refuses the sign-in
   */
  static async connect(url: string, log: Logger, patienceMs = startPatienceMs): Promise<RedisConnection> {
    const connection = new RedisConnection(url, log);
    try {
      await connection.#ready(patienceMs);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  get isCluster(): boolean {
    return this.#address.kind === 'cluster';
  }

  /** A further connection, which is closed with the others. */
  open(purpose: RedisPurpose): RedisClient {
    const client = openRedis(this.#address, purpose);
    this.#opened.push(client);
    this.#report(client, purpose);
    return client;
  }

  /**
   * Runs a command on the connection for commands.
   * @throws RedisUnavailable when it was not answered in time
   */
  async run<Result>(
    command: (client: RedisClient) => Promise<Result>,
    timeoutMs = commandTimeoutMs,
  ): Promise<Result> {
    const sentAtMs = performance.now();
    let isAnswered = true;
    this.#gather();
    try {
      const result = await within(timeoutMs, command(this.commands));
      if (result === late) throw new Error('Command timed out');
      return result;
    } catch (error) {
      if (isReply(error)) throw error;
      isAnswered = false;
      throw new RedisUnavailable('Redis did not answer', { cause: withoutArguments(error) });
    } finally {
      this.onCommand(performance.now() - sentAtMs, isAnswered);
    }
  }

  /**
   * Has everything that is sent from now on until the work at hand is done go out in one piece: after a commit, that is the
   * news and the next steps of many documents. A cluster's commands go out one by one.
   */
  #gather(): void {
    if (this.#isGathering || this.commands instanceof Cluster || this.commands.status !== 'ready') return;
    const { stream } = this.commands;
    this.#isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /** Whether Redis answers now, and would send what others publish. */
  async answers(): Promise<boolean> {
    const { commands, subscriptions } = this;
    // A command would wait for the connection.
    if (commands.status !== 'ready' || subscriptions.status !== 'ready') return false;
    const asked = [commands, ...(subscriptions instanceof Cluster ? [] : [subscriptions])];
    return Promise.all(asked.map((client) => this.run(() => client.ping()))).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#pulse);
    for (const client of this.#opened) client.disconnect();
  }

  /** Sends pings over connections that may be idle, so that a dead one is noticed. */
  #beat(): void {
    if (this.isCluster) return;
    for (const client of [this.commands, this.subscriptions]) {
      if (client.status === 'ready') client.ping().catch(() => undefined);
    }
  }

  async #ready(patienceMs: number): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        await this.run((client) => client.ping(), Math.min(patienceMs, commandTimeoutMs));
        return;
      } catch (error) {
        const refused = isReply(error) && /^(NOAUTH|WRONGPASS|NOPERM|ERR)/.test(error.message);
        if (!refused && performance.now() < deadline) continue;
        const hosts = this.#address.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
        const { cause } = error as Error;
        throw redisFailure(this.#lastError ?? (cause instanceof Error ? cause : (error as Error)), hosts);
      }
    }
  }

  #lastError: Error | null = null;

  /** Logs once that a connection broke, and once that it is back; never what was sent over it. */
  #report(client: RedisClient, purpose: RedisPurpose): void {
    let down = false;
    const failed = (error: Error) => {
      this.#lastError = error;
      if (down) return;
      down = true;
      this.#log.warn({ purpose, reason: error.message }, 'Redis cannot be reached');
    };
    client.on('error', failed);
    client.on('ready', () => {
      if (down) this.#log.info({ purpose }, 'Redis is reached again');
      down = false;
    });
  }
}

/** Redis has answered, with an error. */
const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';

/** Errors of the driver carry the arguments of their command, which must not be logged. */
const withoutArguments = (error: unknown): Error =>
  new Error(error instanceof Error ? error.message : String(error));

/** A Lua script. The server keeps it and runs it by its digest; a server that does not know it gets the text. */
export class RedisScript {
  readonly #text: string;
  readonly #digest: string;

  constructor(text: string) {
    this.#text = text;
    this.#digest = createHash('sha1').update(text).digest('hex');
  }

  /** @throws RedisUnavailable */
  async run(redis: RedisConnection, key: string, args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.run((client) => client.evalsha(this.#digest, 1, key, ...args));
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.run((client) => client.eval(this.#text, 1, key, ...args));
    }
  }
}

/** One server, a server that sentinels name, or a cluster. */
type RedisClient = Redis | Cluster;

/**
 * `commands`: answers come in time or fail. `subscriptions`: for what is published and nothing else. `jobs`: for BullMQ,
 * whose commands may block for long.
 */
type RedisPurpose = 'commands' | 'subscriptions' | 'jobs';

/** A command without an answer has failed after this long. */
const commandTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;
/** A connection over which nothing came for this long is dead; something is asked for more often. */
const silenceMs = 7_000;
const firstRetryMs = 50;
const longestRetryMs = 2_000;

/** The pause before the n-th attempt to connect (from 1): doubling, spread by half, two seconds at most. */
function retryDelayMs(attempt: number): number {
  const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempt - 1, 10));
  return Math.round(delayMs * (0.5 + Math.random() / 2));
}

/** Opens a connection of its own for a purpose. It connects by itself and again whenever it breaks. */
function openRedis(address: RedisAddress, purpose: RedisPurpose): RedisClient {
  const { kind, hosts, username, password, database } = address;
  const tls = address.tls ? {} : undefined;
  const common: CommonRedisOptions & Pick<RedisOptions, 'tls'> = {
    ...optionsOf(purpose),
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: null,
    connectionName: `quire-${purpose}`,
    username,
    password,
    tls,
  };
  if (kind === 'cluster') {
    return new Cluster([...hosts], {
      redisOptions: common,
      clusterRetryStrategy: retryDelayMs,
      slotsRefreshTimeout: commandTimeoutMs,
      // Names of certificates are those that the nodes announce; an address that was looked up here would not match.
      ...(tls
        ? { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }
        : {}),
      shardedSubscribers: purpose === 'subscriptions',
    });
  }
  const single = {
    ...common,
    db: database,
    retryStrategy: retryDelayMs,
    reconnectOnError: isDemoted,
    ...(purpose !== 'jobs' && { socketTimeout: silenceMs }),
  };
  if (kind === 'sentinel') {
    return new Redis({
      ...single,
      sentinels: [...hosts],
      name: address.masterName,
      sentinelUsername: address.sentinelUsername,
      sentinelPassword: address.sentinelPassword,
      sentinelRetryStrategy: retryDelayMs,
      ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: tls } : {}),
    });
  }
  return new Redis({ ...single, ...hosts[0]! });
}

/** A command that may have been carried out is not sent again: its sender gets an error that says so. */
function optionsOf(purpose: RedisPurpose): CommonRedisOptions {
  if (purpose === 'commands') return { autoResendUnfulfilledCommands: false };
  // BullMQ's own scripts and blocking reads bear being sent again, and wait as long as they must.
  return purpose === 'subscriptions' ? { autoResubscribe: true } : {};
}

/** After a failover the old server may still answer, but takes no writes: connect anew and send the command again. */
function isDemoted(error: Error): 2 | false {
  return error.message.startsWith('READONLY') ? 2 : false;
}
