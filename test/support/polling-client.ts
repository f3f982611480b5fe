import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../client/protocol/index.ts';
import { Inbox } from './inbox.ts';
import type { Sent } from './raw-client.ts';

const separator = '\u001e';

export interface PollingOptions {
  /** The auth object of the Socket.IO connect packet. */
  handshake?: Sent;
  /** What follows in the query of the address, from its `&` on. */
  query?: string;
  /** Called with each message as it comes, before anybody who waits for it. */
  onMessage?: (message: ServerMessage) => void;
}

/** A client on HTTP long-polling, built by hand like {@link RawClient}. */
export class PollingClient {
  /** Resolves when the server has ended the session. */
  readonly ended: Promise<void>;
  readonly #url: string;
  readonly #onMessage: NonNullable<PollingOptions['onMessage']>;
  #isReading = true;
  readonly #inbox: Inbox<ServerMessage> = new Inbox(() => JSON.stringify(this.#inbox.all).slice(0, 3_000));

  private constructor(url: string, onMessage: PollingOptions['onMessage'] = () => undefined) {
    this.#url = url;
    this.#onMessage = onMessage;
    this.ended = this.#poll();
  }

  static async open(
    address: string,
    key: string,
    { handshake = {}, query = '', onMessage }: PollingOptions = {},
  ): Promise<PollingClient> {
    const url = `${address}/doc/${key}/c/?EIO=4&transport=polling${query}`;
    const opening = await (await fetch(url)).text();
    const { sid } = JSON.parse(opening.slice(1)) as { sid: string };
    const client = new PollingClient(`${url}&sid=${sid}`, onMessage);
    await client.#post([`40${JSON.stringify(handshake)}`]);
    return client;
  }

  /** The id of its session of Engine.IO, which nobody else is to know. */
  get engineSessionId(): string {
    return new URL(this.#url).searchParams.get('sid')!;
  }

  /** Address of this session for a WebSocket that takes the place of the polls. */
  get upgradeUrl(): string {
    return this.#url.replace(/^http/, 'ws').replace('transport=polling', 'transport=websocket');
  }

  /** Sends messages in one request. */
  send(...messages: Sent[]): Promise<void> {
    return this.#post(messages.map((message) => `42["message",${JSON.stringify(message)}]`));
  }

  async next<Type extends ServerMessageType>(type: Type): Promise<ServerMessageOf<Type>> {
    return (await this.#inbox.take(type, (message) => message.type === type)) as ServerMessageOf<Type>;
  }

  /** Ends the session as a page that goes away does. */
  leave(): Promise<void> {
    return this.#post(['1']);
  }

  /** Asks for nothing more once the poll that is under way is answered; what the server sends piles up at its end. */
  stopReading(): void {
    this.#isReading = false;
  }

  async #post(packets: readonly string[]): Promise<void> {
    const response = await fetch(this.#url, { method: 'POST', body: packets.join(separator) });
    const answer = await response.text();
    if (answer !== 'ok') throw new Error(`A poll was answered with ${response.status}: ${answer}`);
  }

  async #poll(): Promise<void> {
    while (this.#isReading) {
      // A server that is gone, or that cuts the client off, ends the session as a cut network would.
      const response = await fetch(this.#url).catch(() => null);
      if (!response?.ok) break;
      for (const packet of (await response.text()).split(separator)) {
        if (packet === '2') await this.#post(['3']);
        else if (packet === '1' || packet === '41') return this.#inbox.close('the session was ended');
        else if (packet.startsWith('42')) {
          const [, message] = JSON.parse(packet.slice(2)) as [string, ServerMessage];
          this.#onMessage(message);
          this.#inbox.put(message);
        }
      }
    }
    this.#inbox.close('nothing more is read');
  }
}
