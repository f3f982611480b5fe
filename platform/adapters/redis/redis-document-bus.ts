import type { Logger } from 'pino';
import type { DocumentBus, DocumentListener } from '../../ports/coordination.ts';
import type { RedisConnection } from './redis-connection.ts';

const firstRetryMs = 100;
const longestRetryMs = 2_000;
const resubscribeAfterMs = 500;
/**
 * For some seconds the nodes of a cluster may not agree where a channel is, and clients read the map of the cluster every
 * five seconds.
 */
const lookAgainAfterMs = [1_000, 6_000];

/** What waits to be said of a document while the message before is on its way. */
interface Saying {
  texts: string[];
  isSending: boolean;
}

/**
 * The bus on Redis: one channel for a document, on the shard of its shared values where the server knows sharded channels
 * (Redis 7), and one subscribing connection for a node. Messages that come while one is being sent go out together in the
 * next one. When a message could not be sent, listeners learn as soon as one can that they have missed something.
 */
export class RedisDocumentBus implements DocumentBus {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #nodeId: string;
  readonly #isSharded: boolean;
  readonly #log: Logger;
  readonly #sayings = new Map<string, Saying>();
  readonly #listeners = new Map<string, DocumentListener>();
  /** Documents whose channel the server has said to be subscribed. */
  readonly #subscribed = new Set<string>();
  readonly #looks = new Set<NodeJS.Timeout>();
  #resubscribing = false;
  #resubscribeAgain = false;
  #closed = false;

  private constructor(
    redis: RedisConnection,
    prefix: string,
    nodeId: string,
    isSharded: boolean,
    log: Logger,
  ) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#nodeId = nodeId;
    this.#isSharded = isSharded;
    this.#log = log;
    const { subscriptions } = redis;
    subscriptions.on(isSharded ? 'smessage' : 'message', (channel: string, message: string) =>
      this.#received(channel, message),
    );
    // The first connection is there already; each of these is a later one, or a shard that moved.
    for (const event of ['ready', '-node', '-subscriber', '+subscriber', 'subscribersReady']) {
      subscriptions.on(event, () => this.#disturbed());
    }
  }

  /** @throws RedisUnavailable */
  static async open(
    redis: RedisConnection,
    prefix: string,
    nodeId: string,
    log: Logger,
  ): Promise<RedisDocumentBus> {
    const known = await redis.run((client) => client.command('INFO', 'spublish'));
    const isSharded = Array.isArray(known) && known[0] !== null && known[0] !== undefined;
    if (redis.subscriptions.status !== 'ready') {
      await new Promise<void>((resolve) => redis.subscriptions.once('ready', () => resolve()));
    }
    return new RedisDocumentBus(redis, prefix, nodeId, isSharded, log);
  }

  publish(documentKey: string, text: string): void {
    if (this.#closed) return;
    const saying = this.#sayings.get(documentKey) ?? { texts: [], isSending: false };
    saying.texts.push(text);
    this.#sayings.set(documentKey, saying);
    if (!saying.isSending) void this.#send(documentKey, saying);
  }

  async publishConfirmed(documentKey: string, text: string): Promise<boolean> {
    const message = packed(this.#nodeId, false, [text]);
    const receivers = await this.#publish(this.#channel(documentKey), message);
    // Where channels are not sharded, a cluster's server counts its own listeners only.
    return receivers !== 0 || (this.#redis.isCluster && !this.#isSharded);
  }

  isConnected(): boolean {
    return this.#redis.subscriptions.status === 'ready';
  }

  async listen(documentKey: string, listener: DocumentListener): Promise<() => void> {
    if (this.#listeners.has(documentKey)) throw new Error('A document has one listener on a node');
    this.#listeners.set(documentKey, listener);
    const end = () => {
      if (this.#listeners.get(documentKey) !== listener) return;
      this.#listeners.delete(documentKey);
      this.#subscribed.delete(documentKey);
      this.#unsubscribe(documentKey).catch((error: unknown) =>
        this.#warn(error, 'A document is still listened to'),
      );
    };
    try {
      await this.#subscribe(documentKey);
      if (this.#listeners.get(documentKey) === listener) this.#subscribed.add(documentKey);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  close(): void {
    this.#closed = true;
    for (const look of this.#looks) clearTimeout(look);
    this.#listeners.clear();
  }

  async #send(documentKey: string, saying: Saying): Promise<void> {
    saying.isSending = true;
    let missed = false;
    let retryMs = firstRetryMs;
    while ((missed || saying.texts.length > 0) && !this.#closed) {
      const texts = saying.texts.splice(0);
      try {
        const receivers = await this.#publish(
          this.#channel(documentKey),
          packed(this.#nodeId, missed, texts),
        );
        // Not even this node has received it.
        if (receivers === 0 && this.#subscribed.has(documentKey)) this.#disturbed();
        missed = false;
        retryMs = firstRetryMs;
      } catch (error) {
        if (!missed) this.#warn(error, 'A message about a document could not be published to other nodes');
        // What came too late is not published any more: it would arrive after newer messages.
        missed = true;
        saying.texts.length = 0;
        await pause(retryMs);
        retryMs = Math.min(longestRetryMs, 2 * retryMs);
      }
    }
    saying.isSending = false;
    this.#sayings.delete(documentKey);
  }

  #publish(channel: string, message: string): Promise<unknown> {
    return this.#redis.run<unknown>((client) =>
      this.#isSharded ? client.spublish(channel, message) : client.publish(channel, message),
    );
  }

  #received(channel: string, message: string): void {
    const listener = this.#listeners.get(this.#keyOf(channel));
    if (!listener) return;
    const { nodeId, missed, texts } = unpacked(message);
    if (nodeId === this.#nodeId) return;
    if (missed) listener.interrupted();
    for (const text of texts) listener.received(nodeId, text);
  }

  #subscribe(documentKey: string): Promise<unknown> {
    const { subscriptions } = this.#redis;
    const channel = this.#channel(documentKey);
    return this.#isSharded ? subscriptions.ssubscribe(channel) : subscriptions.subscribe(channel);
  }

  #unsubscribe(documentKey: string): Promise<unknown> {
    const { subscriptions } = this.#redis;
    const channel = this.#channel(documentKey);
    return this.#isSharded ? subscriptions.sunsubscribe(channel) : subscriptions.unsubscribe(channel);
  }

  /** Subscriptions may be gone: makes sure of them, in a cluster again when its nodes have had time to agree. */
  #disturbed(): void {
    if (this.#closed) return;
    void this.#resubscribe();
    if (!this.#redis.isCluster || this.#looks.size > 0) return;
    for (const delayMs of lookAgainAfterMs) {
      const look = setTimeout(() => {
        this.#looks.delete(look);
        void this.#resubscribe();
      }, delayMs);
      look.unref();
      this.#looks.add(look);
    }
  }

  /** Makes sure of every subscription on the connection there is now, and then lets listeners look what they missed. */
  async #resubscribe(): Promise<void> {
    this.#resubscribeAgain = true;
    if (this.#resubscribing) return;
    this.#resubscribing = true;
    while (this.#resubscribeAgain && !this.#closed) {
      this.#resubscribeAgain = false;
      const keys = [...this.#listeners.keys()];
      const made = await Promise.allSettled(keys.map((key) => this.#subscribe(key)));
      for (const [at, key] of keys.entries()) {
        if (made[at]!.status === 'fulfilled') this.#listeners.get(key)?.interrupted();
        else this.#resubscribeAgain = true;
      }
      if (this.#resubscribeAgain) await pause(resubscribeAfterMs);
    }
    this.#resubscribing = false;
  }

  #channel(documentKey: string): string {
    return `${this.#prefix}:{${documentKey}}:bus`;
  }

  #keyOf(channel: string): string {
    return channel.slice(this.#prefix.length + 2, -':bus'.length - 1);
  }

  #warn(error: unknown, message: string): void {
    this.#log.warn({ reason: error instanceof Error ? error.message : String(error) }, message);
  }
}

const pause = (durationMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, durationMs).unref();
  });

/** One message on a document's channel: what a node has said since its last one. */
interface BusEnvelope {
  nodeId: string;
  /** The node said something before that could not be sent. */
  missed: boolean;
  texts: readonly string[];
}

/** `<node> <0 or 1>\n`, then each text as `<length in UTF-16 units>:<text>`: texts are long and are not encoded again. */
function packed(nodeId: string, missed: boolean, texts: readonly string[]): string {
  let message = `${nodeId} ${missed ? 1 : 0}\n`;
  // A lone surrogate would arrive as one other character, so lengths hold for any text.
  for (const text of texts) message += `${text.length}:${text}`;
  return message;
}

/** @throws RangeError when the message is not of this form */
function unpacked(message: string): BusEnvelope {
  const end = message.indexOf('\n');
  const space = message.lastIndexOf(' ', end);
  if (end < 0 || space < 0) throw new RangeError('A message of another form');
  const texts: string[] = [];
  for (let at = end + 1; at < message.length; ) {
    const colon = message.indexOf(':', at);
    const length = Number(message.slice(at, colon));
    if (colon < 0 || !Number.isInteger(length)) throw new RangeError('A message of another form');
    texts.push(message.slice(colon + 1, colon + 1 + length));
    at = colon + 1 + length;
  }
  return { nodeId: message.slice(0, space), missed: message[space + 1] === '1', texts };
}
