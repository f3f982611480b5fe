import type { Logger } from 'pino';
import { CallbackAction } from '../../client/protocol/index.ts';
import type { Closing } from '../../db/closing.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { DocumentLifecycle, Visitor } from '../../platform/ports/document-lifecycle.ts';
import { editingBody } from './callback-body.ts';
import type { Notices } from './notices.ts';

export interface LeavingDependencies {
  closing: Closing;
  documents: Pick<Documents, 'resume'>;
  /** Whether somebody edits a document, on any node. */
  isEdited: (key: string) => Promise<boolean>;
  notices: Notices;
  graceMs: number;
  log: Logger;
  /** Has the file of a document assembled by a worker; resolves when that has ended, well or not. */
  assemble: (document: Pick<DocumentRow, 'key' | 'epoch' | 'openedAt'>) => Promise<void>;
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

  constructor(dependencies: LeavingDependencies) {
    this.#deps = dependencies;
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
        this.#beginAssembly(key).catch((error: unknown) => {
          this.#deps.log.error({ err: error, documentKey: key }, 'An assembly could not be started');
        });
      }, delayMs),
    );
  }

  /** Has a document in state `assembling` assembled, or given up where there is nothing to assemble with. */
  async assemble(document: Pick<DocumentRow, 'key' | 'epoch' | 'model' | 'openedAt'>): Promise<void> {
    if (document.model === 'opaque') await this.#keepAsItIs(document);
    else await this.#deps.assemble(document);
    this.#deps.wakeDelivery();
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #beginAssembly(key: string): Promise<void> {
    // Somebody who came on another node while the last one here left may have found the document open, and edits.
    if (await this.#deps.isEdited(key)) {
      await this.editorIsBack(key);
      return;
    }
    const document = await this.#deps.closing.beginAssembly(key);
    if (!document) return;
    this.#deps.faultPoint('assembly:begun');
    await this.assemble(document);
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
