import type { Node } from 'prosemirror-model';
import type { ConnectionState, DocumentStatus, Ended } from '../../client/document-events.ts';
import type { DocumentClientOptions } from '../../client/options.ts';
import { WordSession } from '../../client/word/word-session.ts';
import { patienceMs } from './patience.ts';
import { WaitError } from './wait-error.ts';

/** The paragraph everybody types into at once begins with this. */
export const sharedParagraph = '== ';

/** What a writer's own paragraph begins with. */
export const ownParagraph = (name: string) => `= ${name} = `;

/** Every writer has letters of its own, so that whose letter is whose can be read in the text. */
const alphabets: Readonly<Record<string, string>> = {
  ann: 'abcdefghijklmnopqrstuvwxyz',
  bob: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  carol: '0123456789',
};

/** Names a writer can have, in the order in which tests use them. */
export const writerNames = Object.keys(alphabets);

/** A pause between two letters, milliseconds: many letters fall into each save. */
const letterPauseMs = 8;

export interface WriterOptions {
  address: string;
  key: string;
  name: string;
  transport: NonNullable<DocumentClientOptions['transport']>;
  sourceUrl: string;
  callbackUrl: string | null;
  token?: string;
}

/**
 * Somebody who types: by turns into the paragraph all share and into one of their own, always at its end. What was
 * typed where is kept, so that any copy of the document can be checked against it letter by letter.
 */
export class Writer {
  readonly name: string;
  readonly session: WordSession;
  readonly endings: Ended[] = [];
  #typed = { shared: '', own: '' };
  #count = 0;
  #lostConnections = 0;

  constructor({ address, key, name, transport, sourceUrl, callbackUrl, token }: WriterOptions) {
    this.name = name;
    this.session = new WordSession({
      url: address,
      key,
      transport,
      ...(token !== undefined && { token }),
      clientId: name,
      auth: {
        user: { id: name, username: `Name of ${name}` },
        permissions: { edit: true, chat: true },
        mode: 'edit',
        coEditingMode: 'fast',
        ...(callbackUrl !== null && { documentCallbackUrl: callbackUrl }),
        openCmd: { format: 'docx', url: sourceUrl, title: 'Fault.docx' },
      },
      reconnect: { initialDelayMs: 50, maxDelayMs: 250, attempts: 1_000 },
    });
    this.session.client.on('ended', (ended) => this.endings.push(ended));
    this.session.client.on('lost', () => {
      this.#lostConnections += 1;
    });
  }

  /** How many letters were typed. */
  get count(): number {
    return this.#count;
  }

  /** How often the connection was lost. */
  get lostConnections(): number {
    return this.#lostConnections;
  }

  get doc(): Node {
    return this.session.state.doc;
  }

  get connection(): ConnectionState {
    return this.session.client.status.connection;
  }

  /** Types one letter. */
  type(): void {
    const alphabet = alphabets[this.name]!;
    const letter = alphabet[this.#count % alphabet.length]!;
    const place = this.#count % 2 === 0 ? 'shared' : 'own';
    const prefix = place === 'shared' ? sharedParagraph : ownParagraph(this.name);
    this.session.dispatch(this.session.state.tr.insertText(letter, endOf(this.doc, prefix)));
    this.#typed[place] += letter;
    this.#count += 1;
  }

  /** Types on, letter by letter, until told to stop. The result stops and resolves when nothing more is typed. */
  keepTyping(): () => Promise<void> {
    let typing = true;
    const loop = async () => {
      while (typing) {
        this.#mustLive();
        this.type();
        await new Promise((resolve) => setTimeout(resolve, letterPauseMs));
      }
    };
    const done = loop();
    done.catch(() => undefined);
    return () => {
      typing = false;
      return done;
    };
  }

  /** Resolves when the client's state meets the condition; rejects when the client has ended. */
  async until(what: string, condition: (status: DocumentStatus) => boolean): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!condition(this.session.client.status)) {
      this.#mustLive();
      if (Date.now() > deadline) {
        const status = JSON.stringify(this.session.client.status);
        throw new WaitError(`${what}, of ${this.name}`, patienceMs, status);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Resolves when this many letters more than now are typed and stored, in session. */
  async getsOnBy(letters: number): Promise<void> {
    const goal = this.session.client.status.acknowledgedIndex + letters;
    await this.until(`${letters} more changes`, (status) => {
      return status.connection === 'ready' && status.acknowledgedIndex >= goal;
    });
  }

  /** What is wrong in a copy of the document as far as this writer's letters go; empty when nothing is. */
  complaintsAbout(doc: Node): string[] {
    const alphabet = alphabets[this.name]!;
    const shared = textAfter(doc, sharedParagraph)
      .split('')
      .filter((letter) => alphabet.includes(letter))
      .join('');
    const own = textAfter(doc, ownParagraph(this.name));
    return [
      ...(shared === this.#typed.shared ? [] : [`${this.name} shared: ${shared} for ${this.#typed.shared}`]),
      ...(own === this.#typed.own ? [] : [`${this.name} own: ${own} for ${this.#typed.own}`]),
    ];
  }

  #mustLive(): void {
    const ended = this.endings[0];
    if (ended)
      throw new Error(`${this.name} ended: ${ended.error?.code} ${ended.error?.message}`, { cause: ended });
  }
}

function find(doc: Node, prefix: string): { node: Node; start: number } {
  let found: { node: Node; start: number } | null = null;
  doc.descendants((node, position) => {
    if (found === null && node.type.name === 'paragraph' && node.textContent.startsWith(prefix)) {
      found = { node, start: position + 1 };
    }
    return found === null;
  });
  if (!found) throw new Error(`no paragraph begins with “${prefix}”`);
  return found;
}

function endOf(doc: Node, prefix: string): number {
  const { node, start } = find(doc, prefix);
  return start + node.content.size;
}

const textAfter = (doc: Node, prefix: string) => find(doc, prefix).node.textContent.slice(prefix.length);
