import { createHash } from 'node:crypto';
import type { RedisConnection } from './redis-connection.ts';

/** A Lua script, which the server keeps and is asked for by its digest; one that does not know it is sent the whole. */
export class Script {
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
