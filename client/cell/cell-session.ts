import type { Workbook } from '../../model/cell/workbook.ts';
import { DocumentSession, type SessionOptions } from '../replica/document-session.ts';
import { CellKind, type CellKindOptions } from './cell-kind.ts';
import type { CellReplica, CellTypes } from './cell-replica.ts';
import { textOfOperation } from './text-of-operation.ts';

/** Options of a session in a spreadsheet. */
export interface CellSessionOptions extends SessionOptions, CellKindOptions {}

/** A spreadsheet edited together: a workbook kept in step with the change log. */
export class CellSession extends DocumentSession<CellTypes, CellReplica> {
  readonly #options: CellSessionOptions;

  /** @throws TypeError for a client id that cannot be one */
  constructor(options: CellSessionOptions) {
    super(new CellKind(options), options);
    this.#options = options;
  }

  /** The workbook now. @throws Error before it is loaded */
  get workbook(): Workbook {
    return this.shown.document;
  }

  /** How many changes of the log the workbook shows. */
  get version(): number {
    return this.shown.version;
  }

  /** The text that the changes put in which are not stored yet. */
  unsentText(): string {
    return this.shown.local
      .map(({ operation }) => textOfOperation(operation))
      .filter((text) => text !== '')
      .join('\n');
  }

  /** Takes back the last change that was made here, as far as nobody has changed the same since. */
  undo(): void {
    if (this.shown.canUndo) this.dispatch({ history: 'undo' });
  }

  /** Makes again what was taken back last. */
  redo(): void {
    if (this.shown.canRedo) this.dispatch({ history: 'redo' });
  }

  override reopen(changes: Partial<CellSessionOptions> = {}): CellSession {
    return this.succeededBy((own) => new CellSession({ ...this.#options, ...own, ...changes }));
  }
}
