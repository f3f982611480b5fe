import type { Logger } from 'pino';
import { CallbackAction } from '../../client/protocol/index.ts';
import type { Closing } from '../../db/closing.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { DocumentLifecycle, Visitor } from '../../platform/ports/document-lifecycle.ts';
import { AssemblyStarts } from './assembly-starts.ts';
import { editingBody } from './callback-body.ts';
import type { Notices } from './notices.ts';

/** A document in state `assembling`. */
type Assembled = Pick<DocumentRow, 'key' | 'epoch' | 'model' | 'openedAt'>;

export interface LeavingDependencies {
  closing: Closing;
  documents: Pick<Documents, 'resume'>;
  /** Whether somebody edits a document, on any node. */
  isEdited: (key: string) => Promise<boolean>;
  notices: Notices;
  graceMs: number;
  log: Logger;
  /** Queues the assembly of a document for a worker. `ended` resolves when that has ended, well or not. */
  assemble: (document: Pick<DocumentRow, 'key' | 'epoch' | 'openedAt'>) => Promise<{ ended: Promise<void> }>;
  /** Has the outbox looked at. */
  wakeDelivery: () => void;
  faultPoint: (name: string) => void;
}

/**
 * What happens around a document when people come and go, until its final save is in the outbox. What is to be done is
 * recorded before it waits for anything; `sweep` takes up what a dead process left.
 */
export class Leaving implements DocumentLifecycle {
  readonly #deps: LeavingDependencies;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #starts: AssemblyStarts;
  /** Documents whose assembly is to be started. */
  readonly #inLine = new Set<string>();
  /** Assemblies whose job is queued and has not ended. */
  readonly #underWay = new Set<string>();

  constructor(dependencies: LeavingDependencies) {
    this.#deps = dependencies;
    this.#starts = new AssemblyStarts(dependencies.log);
  }

  editorJoined(key: string, visitor: Visitor, editors: readonly string[]): void {
    this.#notify(key, visitor, editors, CallbackAction.join);
  }

  editorLeft(key: string, visitor: Visitor, editors: readonly string[]): void {
    this.#notify(key, visitor, editors, CallbackAction.leave);
  }

  async lastEditorLeft(
    key: string,
    visitor: Pick<Visitor, 'userId' | 'callbackUrl'>,
    now: boolean,
  ): Promise<void> {
    const graceMs = now ? 0 : this.#deps.graceMs;
    const left = await this.#deps.closing.lastEditorLeft(key, visitor, graceMs);
    this.#deps.faultPoint('closing:recorded');
    if (left.kind === 'closing') this.assembleAfter(key, left.dueInMs);
    if (left.kind === 'unchanged') this.#deps.wakeDelivery();
  }

  async editorIsBack(key: string): Promise<boolean> {
    const row = await this.#deps.documents.resume(key);
    return row?.state === 'open';
  }

  /** Assembles a closing document when its grace has passed, unless an editor comes back before. */
  assembleAfter(key: string, delayMs: number): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        let begun: Assembled | null = null;
        this.#inTurn(key, async () => {
          begun ??= await this.#beginAssembly(key);
          if (begun) await this.#assemble(begun);
        });
      }, delayMs),
    );
  }

  /** Has a document in state `assembling` assembled, or given up where there is nothing to assemble with. */
  assemble(document: Assembled): void {
    if (!this.#underWay.has(nameOf(document))) this.#inTurn(document.key, () => this.#assemble(document));
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#starts.stop();
  }

  /** A document is in line once, however often it is found unfinished. */
  #inTurn(key: string, start: () => Promise<void>): void {
    if (this.#inLine.has(key)) return;
    this.#inLine.add(key);
    this.#starts
      .run(start)
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error, documentKey: key }, 'An assembly could not be started');
      })
      .finally(() => this.#inLine.delete(key));
  }

  async #beginAssembly(key: string): Promise<Assembled | null> {
    // Somebody who came on another node while the last one here left may have found the document open, and edits.
    if (await this.#deps.isEdited(key)) {
      await this.editorIsBack(key);
      return null;
    }
    const document = await this.#deps.closing.beginAssembly(key);
    if (document) this.#deps.faultPoint('assembly:begun');
    return document;
  }

  /** Resolves when the job is queued. */
  async #assemble(document: Assembled): Promise<void> {
    const { wakeDelivery, assemble } = this.#deps;
    if (document.model === 'opaque') {
      await this.#keepAsItIs(document);
      return wakeDelivery();
    }
    const name = nameOf(document);
    if (this.#underWay.has(name)) return;
    const { ended } = await assemble(document);
    this.#underWay.add(name);
    void ended.then(() => {
      this.#underWay.delete(name);
      wakeDelivery();
    });
  }

  /** Nobody here can read the changes: base file and log go to forgotten storage, and status 3 says so. */
  async #keepAsItIs({ key, epoch }: Pick<DocumentRow, 'key' | 'epoch'>): Promise<void> {
    const document = await this.#deps.closing.assembling(key, epoch);
    if (!document) return;
    await this.#deps.closing.finishAssembly(document, {
      result: null,
      changesHash: null,
      history: null,
      skipped: 0,
    });
  }

  #notify(key: string, visitor: Visitor, editors: readonly string[], type: number): void {
    if (!visitor.callbackUrl) return;
    const body = editingBody(key, editors, { type, userId: visitor.userId });
    this.#deps.notices.send({ url: visitor.callbackUrl, key, routing: visitor.routing, body });
  }
}

const nameOf = ({ key, epoch }: Assembled): string => `${key} ${epoch}`;
