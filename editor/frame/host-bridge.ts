import * as z from 'zod/mini';
import { QuireError } from '../../platform/quire-error.ts';
import { t } from '../strings/strings.ts';
import { documentSchema } from './document-config.ts';
import { editorConfigSchema } from './editor-config.ts';
import { type FrameConfig, readFrameConfig, wholeSchema } from './frame-config.ts';
import { commandSchemas, type HostCommand, type HostCommandData } from './host-commands.ts';
import type { BareHostEvent, HostEvents } from './host-events.ts';
import { LaterNotes } from './later-notes.ts';
import { unusedCommands } from './unused-commands.ts';
import { guestId } from './user-name.ts';

/** As much of `window` as the bridge needs. */
export interface FrameWindow {
  readonly location: { readonly search: string; readonly href: string };
  readonly parent: { postMessage(message: unknown, targetOrigin: string, transfer?: Transferable[]): void };
  addEventListener(type: 'message', listener: (message: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (message: MessageEvent) => void): void;
}

/** The editor's page was opened by itself, not by a page that embeds it. `message` may be shown to people. */
export class NoHostError extends QuireError {
  constructor(message: string) {
    super('no-host', message);
  }
}

type Handler = (data: never) => void;

/** A page cannot make the frame keep more commands than this for a part of the editor that is never there. */
const mostWaiting = 100;

/**
 * The frame's end of the messages with the page that embeds it (integration API, 3.3). It listens to the parent window
 * alone, and only if that has the origin that the frame's address names; no other origin is sent anything.
 *
 * A command that comes before its handler waits for it, and so does one that comes while the handlers are being replaced.
 */
export class HostBridge {
  /** Resolves when the page has sent the configuration and the document; rejects with a {@link NoHostError}. */
  readonly ready: Promise<FrameConfig>;
  readonly #window: FrameWindow;
  readonly #notes: Pick<LaterNotes, 'add'>;
  readonly #frameEditorId: string;
  readonly #origin: string | null;
  readonly #handlers = new Map<HostCommand, Set<Handler>>();
  readonly #waiting: { command: HostCommand; data: unknown }[] = [];
  #resolve!: (config: FrameConfig) => void;
  #init: unknown;
  /** The events that the page has handlers for. */
  #listens: readonly string[] = [];
  #isReady = false;
  /** While commands are held: those that are not. */
  #passing: readonly HostCommand[] | null = null;

  constructor(
    frame: FrameWindow = window,
    notes: Pick<LaterNotes, 'add'> = new LaterNotes(tableAddress(frame)),
  ) {
    this.#window = frame;
    this.#notes = notes;
    const query = new URLSearchParams(frame.location.search);
    this.#frameEditorId = query.get('frameEditorId') ?? '';
    const isEmbedded = frame.parent !== (frame as unknown);
    this.#origin = isEmbedded ? readOrigin(query.get('parentOrigin')) : null;
    if (this.#origin === null) {
      this.ready = Promise.reject(new NoHostError(t('frame.noHost')));
      this.ready.catch(() => undefined);
      return;
    }
    this.ready = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    frame.addEventListener('message', this.#receive);
  }

  /** Tells the page something. Without a page nothing happens. */
  send(event: BareHostEvent): void;
  send<Name extends keyof HostEvents>(event: Name, data: HostEvents[Name]): void;
  send(event: string, data?: unknown): void {
    this.#post(JSON.stringify({ event, data, frameEditorId: this.#frameEditorId }));
  }

  /** Gives the page the bytes of the document; they are no longer here afterwards. */
  sendDocument(bytes: ArrayBuffer): void {
    this.#post({ event: 'onSaveDocument', data: bytes, frameEditorId: this.#frameEditorId }, [bytes]);
  }

  /** Calls the handler for each such command, also for those that have come already. Returns how to stop. */
  on<Name extends HostCommand>(command: Name, handler: (data: HostCommandData<Name>) => void): () => void {
    const handlers = this.#handlers.get(command) ?? new Set();
    this.#handlers.set(command, handlers);
    handlers.add(handler);
    for (const { data } of this.#waiting.filter((waiting) => waiting.command === command)) {
      handler(data as HostCommandData<Name>);
    }
    const others = this.#waiting.filter((waiting) => waiting.command !== command);
    this.#waiting.splice(0, this.#waiting.length, ...others);
    return () => {
      handlers.delete(handler);
    };
  }

  /**
   * Whoever has handlers now is about to be replaced, so that commands wait for handlers that are given from now on, or
   * for {@link release}. Those in `passing` are for others, and do not wait.
   */
  hold(passing: readonly HostCommand[]): void {
    this.#passing = passing;
  }

  /** Commands go to the handlers that are there, also those that were held. */
  release(): void {
    if (!this.#passing) return;
    this.#passing = null;
    for (const { command, data } of this.#waiting.splice(0)) this.#handle(command, data);
  }

  /** Hears nothing more. */
  close(): void {
    this.#window.removeEventListener('message', this.#receive);
  }

  #post(message: unknown, transfer: Transferable[] = []): void {
    if (this.#origin === null) return;
    // A page without an origin, such as a file, cannot be addressed by one.
    this.#window.parent.postMessage(message, this.#origin === 'null' ? '*' : this.#origin, transfer);
  }

  readonly #receive = (message: MessageEvent): void => {
    const { origin, source } = message;
    if (source !== (this.#window.parent as unknown) || origin !== this.#origin) return;
    const { command, data } = readCommand(message.data);
    if (command === 'init') this.#begin(data);
    else if (command === 'openDocument') this.#open((data as { doc?: unknown } | undefined)?.doc);
    else if (Object.hasOwn(commandSchemas, command)) this.#act(command as HostCommand, data);
  };

  #begin(data: unknown): void {
    const { config, handlers } = (data ?? {}) as { config?: unknown; handlers?: unknown };
    this.#init = config ?? {};
    this.#listens = Array.isArray(handlers) ? handlers.filter((name) => typeof name === 'string') : [];
  }

  #open(doc: unknown): void {
    if (this.#isReady || this.#init === undefined) return;
    this.#isReady = true;
    this.#noteWrong({ editorConfig: this.#init, document: doc });
    const query = new URLSearchParams(this.#window.location.search);
    this.#resolve(readFrameConfig(this.#init, doc, { query, guestId }));
  }

  #noteWrong(config: unknown): void {
    const { editorConfig, document } = z.parse(wholeSchema, config);
    this.#notes.add((notes) => {
      notes.check(wholeSchema, config, 'config');
      notes.check(editorConfigSchema, editorConfig, 'editorConfig');
      notes.check(documentSchema, document, 'document');
      notes.unused({ editorConfig, document }, this.#listens);
    });
  }

  #act(command: HostCommand, given: unknown): void {
    const schema = commandSchemas[command] as z.ZodMiniType;
    this.#notes.add((notes) => notes.command(command));
    if (command === 'refreshFile') this.#noteWrong(given);
    else this.#notes.add((notes) => notes.check(schema, given, command));
    const read = z.safeParse(schema, given);
    if (read.success) this.#handle(command, read.data);
  }

  #handle(command: HostCommand, data: unknown): void {
    const isHeld = this.#passing !== null && !this.#passing.includes(command);
    const handlers = this.#handlers.get(command);
    if (handlers?.size && !isHeld) for (const handler of [...handlers]) handler(data as never);
    else if (this.#waiting.length < mostWaiting && !Object.hasOwn(unusedCommands, command))
      this.#waiting.push({ command, data });
  }
}

/** Where the server has the table of what works here, seen from the page of an editor. */
const tableAddress = ({ location }: FrameWindow): string =>
  URL.canParse(location.href) ? new URL('../api-compatibility.txt', location.href).href : '';

/** Listens to the embedding page and tells it that the frame is there. The first thing an editor's page does. */
export function connectToHost(): HostBridge {
  const bridge = new HostBridge();
  bridge.send('onAppReady');
  return bridge;
}

/** Commands are JSON text; one that carries bytes is an object. */
function readCommand(message: unknown): { command: string; data: unknown } {
  let said = message;
  if (typeof message === 'string') {
    try {
      said = JSON.parse(message);
    } catch {
      return { command: '', data: undefined };
    }
  }
  const { command, data } = (said ?? {}) as { command?: unknown; data?: unknown };
  return { command: typeof command === 'string' ? command : '', data };
}

/** `null` written out is the origin of pages that have none. */
function readOrigin(given: string | null): string | null {
  if (given === null || given === 'null') return given;
  try {
    return new URL(given).origin;
  } catch {
    return null;
  }
}
