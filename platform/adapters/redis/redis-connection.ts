import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { readRedisAddress } from '../../config/redis-address.ts';
import { QuireError } from '../../quire-error.ts';
import { commandTimeoutMs, openRedis, type RedisClient, type RedisPurpose } from './redis-clients.ts';

/** A server that starts beside its Redis waits for it this long. */
const startPatienceMs = 30_000;

const beatEveryMs = 2_000;

/** Redis did not answer in time, or the connection broke before it did: what was asked for may or may not be done. */
export class RedisUnavailable extends QuireError {
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
   * @throws Error when there is none in time, or it refuses the sign-in
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
  async run<Result>(command: (client: RedisClient) => Promise<Result>): Promise<Result> {
    const sentAtMs = performance.now();
    let isAnswered = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('Command timed out')), commandTimeoutMs);
    });
    const answer = command(this.commands);
    // It may still fail when nobody waits for it any more.
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      if (isReply(error)) throw error;
      isAnswered = false;
      throw new RedisUnavailable('Redis did not answer', { cause: withoutArguments(error) });
    } finally {
      clearTimeout(timer);
      this.onCommand(performance.now() - sentAtMs, isAnswered);
    }
  }

  /** Whether Redis answers now. */
  async answers(): Promise<boolean> {
    return this.run((client) => client.ping()).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#pulse);
    for (const client of this.#opened) client.disconnect();
  }

  /** Has something come over connections that may have nothing to say, so that one that is dead is seen to be. */
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
        await this.run((client) => client.ping());
        return;
      } catch (error) {
        const refused = isReply(error) && /^(NOAUTH|WRONGPASS|NOPERM|ERR)/.test(error.message);
        if (!refused && performance.now() < deadline) continue;
        const hosts = this.#address.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
        const { cause } = error as Error;
        const reason = cause instanceof Error ? cause.message : (error as Error).message;
        throw new Error(`Redis (REDIS_URL, ${hosts}) cannot be used: ${this.#lastError ?? reason}`);
      }
    }
  }

  #lastError: string | null = null;

  /** Says once that a connection broke, and once that it is there again; never what was sent over it. */
  #report(client: RedisClient, purpose: RedisPurpose): void {
    let down = false;
    const failed = (error: Error) => {
      this.#lastError = error.message;
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

/** Errors of the driver carry the arguments of their command, which are no business of a log. */
const withoutArguments = (error: unknown): Error =>
  new Error(error instanceof Error ? error.message : String(error));

/** A Lua script, which the server keeps and is asked for by its digest; one that does not know it is sent the whole. */
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
