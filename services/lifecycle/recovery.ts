import type { Logger } from 'pino';
import type { Closing } from '../../db/closing.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { Leaving } from './leaving.ts';

const sweepEveryMs = 30_000;

/**
 * Takes up what a dead process left (I6). Documents that were being edited get a grace in which their editors come
 * back; then, and for closings and assemblies at once, things go on where they stopped. Repeated now and then, because
 * a timer or a job may be lost without the process dying.
 */
export class Recovery {
  readonly #closing: Closing;
  readonly #leaving: Leaving;
  readonly #registry: DocumentRegistry;
  readonly #log: Logger;
  readonly #assembling = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(closing: Closing, leaving: Leaving, registry: DocumentRegistry, log: Logger) {
    this.#closing = closing;
    this.#leaving = leaving;
    this.#registry = registry;
    this.#log = log;
  }

  /**
   * Runs at start. Assemblies go on at once; what was being edited, or had just been left, waits `reconnectGraceMs` for
   * editors of the time before to come back.
   */
  async start(reconnectGraceMs: number): Promise<void> {
    for (const document of await this.#closing.unfinished()) {
      if (document.state === 'assembling') this.#assemble(document);
    }
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#sweepAside(), sweepEveryMs);
      this.#sweepAside();
    }, reconnectGraceMs);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #sweepAside(): void {
    this.#sweep().catch((error: unknown) => {
      this.#log.error({ err: error }, 'Unfinished documents could not be looked for');
    });
  }

  async #sweep(): Promise<void> {
    for (const document of await this.#closing.unfinished()) {
      if (document.state === 'closing') this.#leaving.assembleAfter(document.key, document.dueInMs);
      else if (document.state === 'assembling') this.#assemble(document);
      else await this.#leaveFor(document.key);
    }
  }

  /** The job of an assembly is queued once, however often it is found unfinished. */
  #assemble(document: Parameters<Leaving['assemble']>[0]): void {
    const name = `${document.key} ${document.epoch}`;
    if (this.#assembling.has(name)) return;
    this.#assembling.add(name);
    this.#leaving
      .assemble(document)
      .catch((error: unknown) => {
        this.#log.error({ err: error, documentKey: document.key }, 'An assembly could not be resumed');
      })
      .finally(() => this.#assembling.delete(name));
  }

  /** A document in state `open` that no editor is attached to: nobody saw them leave. */
  async #leaveFor(key: string): Promise<void> {
    const actor = this.#registry.actor(key);
    await actor.run(async () => {
      if (actor.document.editors().length > 0) return;
      const visitor = await this.#closing.lastOpening(key);
      await this.#leaving.lastEditorLeft(key, visitor ?? { userId: '', callbackUrl: null }, true);
      this.#log.warn({ documentKey: key }, 'A document nobody had left was closed');
    });
    this.#registry.maybeDrop(key);
  }
}
