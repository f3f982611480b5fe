import { cellModel } from '../../model/cell/cell-model.ts';
import { applyChange, applyOperation, encodeChange } from '../../model/cell/change.ts';
import { parseWorkbook, type WorkbookJson } from '../../model/cell/document.ts';
import { readOperation } from '../../model/cell/operation-json.ts';
import { type CellOperation, nothing } from '../../model/cell/operations.ts';
import { readSnapshot, snapshotOf } from '../../model/cell/snapshot.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { cellKind } from '../../model/kinds.ts';
import { decodeEnvelope } from '../../model/log/change.ts';
import { type ChangeName, sameName } from '../replica/change-names.ts';
import type {
  CheckpointText,
  DocumentBase,
  LoadedDocument,
  LoggedOperation,
  MadeOperations,
  NamedOperation,
  PlacedOperations,
  PlacingTarget,
  ReplicaContext,
  SessionKind,
} from '../replica/kind-replica.ts';
import { beginLog } from '../replica/model-log.ts';
import { CellReplica, type CellReplicaOptions, type CellTypes, type ShownChange } from './cell-replica.ts';
import { effectsOf } from './effects.ts';
import { type MadeOn, Rebase, type Rebased } from './rebase.ts';
import { sameSheets, sheetAlignment } from './sheet-alignment.ts';
import { textOfOperation } from './text-of-operation.ts';

export interface CellKindOptions {
  /** What is shown has changed; also called with the document as it is loaded, as its own `before`. */
  readonly onChange?: ((change: ShownChange) => void) | undefined;
  readonly when?: CellReplicaOptions['when'] | undefined;
  readonly region?: CellReplicaOptions['region'];
}

type Named = NamedOperation<CellTypes>;

/** The time on the wall here, and a seed that nobody can tell before. */
function whenNow(): readonly [timeMs: number, seed: number] {
  const now = new Date();
  return [now.getTime() - now.getTimezoneOffset() * 60_000, crypto.getRandomValues(new Uint32Array(1))[0]!];
}

/** Spreadsheets, as sessions need them. */
export class CellKind implements SessionKind<CellTypes, CellReplica> {
  readonly model = cellModel.name;
  readonly editorType = cellKind.editorType;
  readonly #options: CellKindOptions;

  constructor(options: CellKindOptions = {}) {
    this.#options = options;
  }

  read(text: string): DocumentBase<CellTypes, CellReplica> {
    const document = parseWorkbook(JSON.parse(text) as WorkbookJson);
    return { begin: (checkpoint, context) => this.#begin(document, checkpoint, context) };
  }

  #begin(
    base: Workbook,
    checkpoint: CheckpointText | null,
    context: ReplicaContext,
  ): LoadedDocument<CellTypes, CellReplica> {
    const { log, index, changes } = beginLog(cellModel, { doc: base, rights: null }, checkpoint, nothing);
    const { document } = log;
    const onChange = this.#options.onChange ?? (() => undefined);
    const when = this.#options.when ?? whenNow;
    const { region } = this.#options;
    const replica = new CellReplica({ ...context, document, version: index, when, region, onChange });
    onChange({ before: document, after: document, isLocal: false, moves: null });
    return { log, index, changes, replica };
  }

  encode({ operation, name }: Named): string {
    return encodeChange(name.clientId, operation, name.number);
  }

  decode(text: string, document: Workbook): { named: Named; document: Workbook } | null {
    const named = namedOperation(text);
    const after = named && applyChange(document, text);
    return !named || !after || typeof after === 'string' ? null : { named, document: after };
  }

  insertedText(text: string): { name: ChangeName; text: string } | null {
    const named = namedOperation(text);
    return named && { name: named.name, text: textOfOperation(named.operation) };
  }

  textOf(operations: readonly Named[], _document: Workbook, which: ReadonlySet<number>): string {
    return [...which]
      .sort((one, other) => one - other)
      .map((at) => textOfOperation(operations[at]!.operation))
      .filter((text) => text !== '')
      .join('\n');
  }

  place(
    made: MadeOperations<CellTypes>,
    later: readonly LoggedOperation<CellTypes>[],
    { document, isStored }: PlacingTarget<CellTypes>,
  ): PlacedOperations<CellTypes> {
    let pending = madeOn(made);
    let current = made.documents[0]!;
    let others: CellOperation[] = [];
    const catchUp = (isKept: (index: number) => boolean = () => true, end?: Workbook) => {
      const after = end ?? others.reduce(applyLogged, current);
      const rebase = new Rebase(others.flatMap(effectsOf), after);
      pending = stillMade(pending, rebase.made(pending, isKept));
      current = after;
      others = [];
    };
    for (const { operation, name } of later) {
      const [first] = pending;
      if (!name || !first || !sameName(first.name, name)) {
        others.push(operation);
        continue;
      }
      catchUp();
      // It is in the log, and what stands on it stands where it did.
      if (pending[0] && sameName(pending[0].name, name)) pending = pending.slice(1);
      current = applyLogged(current, operation);
    }
    catchUp((index) => !isStored(pending[index]!.name), document);
    return placedOf(made, pending, document, isStored);
  }

  align(
    made: MadeOperations<CellTypes>,
    { document, isStored }: PlacingTarget<CellTypes>,
  ): PlacedOperations<CellTypes> {
    const effect = sheetAlignment(made.documents[0]!, document);
    const pending = madeOn(made);
    const rebased = new Rebase([effect], document).made(pending, (index) => !isStored(pending[index]!.name));
    return placedOf(made, stillMade(pending, rebased), document, isStored);
  }

  sameContent(one: Workbook, other: Workbook): boolean {
    return sameSheets(one, other);
  }

  snapshot(document: Workbook): readonly (() => string)[] {
    return snapshotOf(document);
  }

  readSnapshot(parts: readonly string[]): Workbook {
    return readSnapshot(parts);
  }
}

interface Pending extends MadeOn {
  readonly name: ChangeName;
  /** Which of the given operations it is. */
  readonly index: number;
}

function madeOn({ operations, documents }: MadeOperations<CellTypes>): Pending[] {
  return operations.map(({ operation, name }, index) => ({
    operation,
    name,
    index,
    document: documents[index]!,
  }));
}

/** Those that have a place. */
function stillMade(pending: readonly Pending[], { made }: Rebased): Pending[] {
  return pending.flatMap(({ name, index }, at) => {
    const next = made[at];
    return next ? [{ ...next, name, index }] : [];
  });
}

/** What of the log was skipped does nothing, and all else applies. */
function applyLogged(document: Workbook, operation: CellOperation): Workbook {
  const after = applyOperation(document, operation);
  return typeof after === 'string' ? document : after;
}

function placedOf(
  { operations }: MadeOperations<CellTypes>,
  placed: readonly Pending[],
  document: Workbook,
  isStored: (name: ChangeName) => boolean,
): PlacedOperations<CellTypes> {
  const found = new Set(placed.map(({ index }) => index));
  const lost = operations.flatMap(({ operation, name }, index) =>
    !found.has(index) && !isStored(name) && textOfOperation(operation) !== '' ? [index] : [],
  );
  return {
    operations: placed.map(({ operation, name }) => ({ operation, name })),
    document: placed.reduce((current, { operation }) => applyLogged(current, operation), document),
    lost: new Set(lost),
  };
}

function namedOperation(text: string): { operation: CellOperation; name: ChangeName } | null {
  const change = decodeEnvelope(text);
  if (typeof change === 'string' || change.number === undefined) return null;
  const operation = readOperation(change.step);
  return operation && { operation, name: { clientId: change.clientId, number: change.number } };
}
