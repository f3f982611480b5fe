import type { Node } from 'prosemirror-model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state';
import { Mapping, type Step } from 'prosemirror-transform';
import { type ChangeName, sameName } from '../replica/change-names.ts';
import type { LoggedOperation, NamedOperation } from '../replica/kind-replica.ts';

/** Text documents: ProseMirror's documents, steps and transactions. */
export interface WordTypes {
  readonly document: Node;
  readonly operation: Step;
  readonly change: Transaction;
}

/** A step made here and not acknowledged by the server. */
export interface LocalStep extends NamedOperation<WordTypes> {
  readonly inverted: Step;
}

/** The document of a state is the log up to `version` with the local steps on it. */
interface Shared {
  readonly version: number;
  readonly local: readonly LocalStep[];
}

type Meta = { readonly shared: Shared } | { readonly names: readonly ChangeName[] };

const key = new PluginKey<Shared>('shared');

/**
 * Keeps the local steps of a state, each with a name that lasts. In place of `prosemirror-collab`, which cannot take
 * back a single step and does not say which step is which after a rebase.
 */
export function sharing(version: number, nextName: () => ChangeName): Plugin<Shared> {
  return new Plugin<Shared>({
    key,
    state: {
      init: () => ({ version, local: [] }),
      apply(transaction, shared) {
        const meta = metaOf(transaction);
        if (meta && 'shared' in meta) return meta.shared;
        if (!transaction.docChanged) return shared;
        const made = transaction.steps.map((step, at) =>
          localStep(step, transaction.docs[at]!, meta?.names[at] ?? nextName()),
        );
        return { version: shared.version, local: [...shared.local, ...made] };
      },
    },
    // Tells `prosemirror-history` to keep one item for each step, so that it can follow a rebase.
    historyPreserveItems: true,
  });
}

function metaOf(transaction: Transaction): Meta | undefined {
  return transaction.getMeta(key) as Meta | undefined;
}

function localStep(operation: Step, before: Node, name: ChangeName): LocalStep {
  return { operation, inverted: operation.invert(before), name };
}

/** How much of the log the state contains. */
export function versionOf(state: EditorState): number {
  return key.getState(state)!.version;
}

export function localSteps(state: EditorState): readonly LocalStep[] {
  return key.getState(state)!.local;
}

/** True for a transaction that was not made by this user: changes of others, acknowledgements, recovered steps. */
export function isShared(transaction: Transaction): boolean {
  return metaOf(transaction) !== undefined;
}

/** Adds steps that have names already. */
export function addNamed(state: EditorState, steps: readonly NamedOperation<WordTypes>[]): Transaction {
  const { tr } = state;
  for (const { operation } of steps) tr.step(operation);
  return tr.setMeta(key, { names: steps.map(({ name }) => name) } satisfies Meta);
}

/** The first `count` local steps are in the log. */
export function acknowledge(state: EditorState, count: number): Transaction {
  const { version, local } = key.getState(state)!;
  const shared: Shared = { version: version + count, local: local.slice(count) };
  return state.tr.setMeta(key, { shared } satisfies Meta).setMeta('addToHistory', false);
}

/**
 * Puts steps of the log beneath the local ones. Local steps that `keep` refuses are taken back, and so are those
 * whose place is gone. One that is among the steps of the log, because an earlier session had sent it, is local no more.
 */
export function rebase(
  state: EditorState,
  over: readonly LoggedOperation<WordTypes>[],
  keep: (step: LocalStep) => boolean = () => true,
): Transaction {
  const { version, local } = key.getState(state)!;
  const refused = local.findIndex((step) => !keep(step));
  const first = over.length > 0 ? 0 : refused < 0 ? local.length : refused;
  const undone = local.slice(first);
  const { tr } = state;
  const places = new Mapping();
  for (const { operation, inverted } of undone.toReversed()) {
    tr.step(inverted);
    places.appendMap(operation.getMap().invert());
  }
  const stored = new Set<LocalStep>();
  for (const { operation, name } of over) {
    tr.step(operation);
    const at = name ? undone.findIndex((one) => sameName(one.name, name)) : -1;
    if (at >= 0) stored.add(undone[at]!);
    places.appendMap(operation.getMap(), at >= 0 ? undone.length - 1 - at : undefined);
  }
  const kept = local.slice(0, first);
  for (const [at, one] of undone.entries()) {
    if (stored.has(one) || !keep(one)) continue;
    const mapped = one.operation.map(places.slice(undone.length - at));
    if (!mapped || tr.maybeStep(mapped).failed) continue;
    const [undoneAt, redoneAt] = [undone.length - 1 - at, tr.steps.length - 1];
    places.appendMap(mapped.getMap(), undoneAt);
    mirror(tr.mapping, undoneAt, redoneAt);
    kept.push(localStep(mapped, tr.docs.at(-1)!, one.name));
  }
  keepCursor(state, tr);
  const shared: Shared = { version: version + over.length, local: kept };
  return tr
    .setMeta(key, { shared } satisfies Meta)
    .setMeta('addToHistory', false)
    .setMeta('rebased', undone.length);
}

/** Positions at the cursor find their way, and so does the history. `setMirror` is missing from the typings. */
function mirror(mapping: Mapping, undone: number, redone: number): void {
  (mapping as Mapping & { setMirror(one: number, other: number): void }).setMirror(undone, redone);
}

/** What others insert at the cursor goes behind it, and what was chosen for the next letter stays chosen. */
function keepCursor(state: EditorState, tr: Transaction): void {
  const { selection, storedMarks } = state;
  if (tr.docChanged && selection instanceof TextSelection) {
    const anchor = tr.mapping.map(selection.anchor, -1);
    const head = tr.mapping.map(selection.head, -1);
    if (anchor !== tr.selection.anchor || head !== tr.selection.head) {
      tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head), -1));
    }
  }
  if (storedMarks) tr.setStoredMarks(storedMarks);
}
