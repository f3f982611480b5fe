import { applyChange, encodeChange } from '../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook, type RowJson } from '../../model/cell/document.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { sameWorkbook } from '../../model/cell/same-workbook.ts';
import { GhostCells } from '../../model/cell/testing/ghost-cells.ts';
import {
  RandomOperations,
  randomOf,
  testColumns,
  testRows,
} from '../../model/cell/testing/random-operations.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { decodeEnvelope } from '../../model/log/change.ts';
import type { CellTypes } from '../cell/cell-replica.ts';
import { CellReplica } from '../cell/cell-replica.ts';
import { effectsOf } from '../cell/effects.ts';
import { type ChangeName, OwnNames } from '../replica/change-names.ts';
import type { LoggedOperation, NamedOperation } from '../replica/kind-replica.ts';

/** What only a file brings: a pivot table, and beside it a table, a filter and a chart. */
const ofFile = {
  pivot: { p1: { area: [10, 5, 13, 7], name: 'Pivot' } },
  table: {
    t1: { area: [6, 0, 9, 1], name: 'Sales', hasHeader: true, columns: [{ name: '6,0' }, { name: '6,1' }] },
  },
  filter: { f1: { area: [0, 3, 5, 6], columns: [{ column: 1, values: ['1,4'] }] } },
  drawing: {
    d1: {
      ...{ kind: 'chart', anchor: { from: [1, 1, 0, 0], follows: 'both' }, order: 1 },
      chart: { type: 'column', series: [{ values: 'Sheet1!$B$2:$B$4' }] },
    },
  },
};

const clients = ['a', 'b', 'c', 'd', 'e'] as const;

const keyOf = ({ clientId, number }: ChangeName): string => `${clientId}:${number}`;

/** A change as the test remembers it. */
interface Made {
  /** The cells that its sets were meant for, by the texts that they put in. */
  readonly meant: ReadonlyMap<string, string>;
  /** Of a step back or forth: the changes that it takes back. */
  readonly takesBack: readonly string[] | null;
  /** How long the log was that was known when it was made. */
  readonly knownIndex: number;
}

class Person {
  readonly names: OwnNames;
  readonly replica: CellReplica;
  readonly random: RandomOperations;
  /** How much of the log it knows. */
  index = 0;

  constructor(client: string, document: Workbook, random: () => number) {
    this.names = new OwnNames(client);
    this.random = new RandomOperations(random, client);
    let time = 0;
    this.replica = new CellReplica({
      document,
      version: 0,
      nextName: () => this.names.next(),
      holderOf: () => null,
      hasLocks: () => false,
      when: () => [time++, 7],
      onChange: () => undefined,
    });
  }
}

/**
 * Five people in one workbook, each seeing the log late and in parts of its own choice, some of whose saves are stored
 * without their knowing. It knows by `GhostCells` which cell is which.
 */
export class CellTrial {
  readonly failures: string[] = [];
  readonly log: string[] = [];
  readonly #people: Person[];
  readonly #random: () => number;
  readonly #base: Workbook;
  readonly #made = new Map<string, Made>();
  #server: Workbook;
  /** The ids of cells after each change of the log. */
  readonly #ghosts: GhostCells[];
  /** Who wrote into a cell last, and with which change of the log. */
  readonly #writers = new Map<string, readonly [client: string, index: number]>();
  readonly #indexes = new Map<string, number>();
  /** Operations that applied, by what they do: their names, those of the items that they are about, and the fields that they patch. */
  readonly deeds = new Set<string>();
  sets = 0;
  landed = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const rows = Array.from(
      { length: testRows },
      (_, row) =>
        [
          0,
          0,
          ...Array.from({ length: testColumns }, (_u, column) => [column, 0, `${row},${column}`]).flat(),
        ] as unknown as RowJson,
    );
    const sheets = ['s1', 's2'].map((id, at) => ({
      ...{ id, properties: { name: `Sheet${at + 1}` }, rows },
      items: at === 0 ? ofFile : {},
    }));
    const items = { held: { h1: { formulas: ['B2:C4', 'Sheet2!A1'], scope: 's1' } } };
    this.#base = parseWorkbook({ ...blankWorkbook(), sheets, items });
    this.#server = this.#base;
    this.#ghosts = [new GhostCells(['s1', 's2'])];
    this.#people = clients.map((client) => new Person(client, this.#base, this.#random));
  }

  /** Of which kinds the file has items. */
  get kinds(): ReadonlySet<string> {
    const all = [this.#base.items, ...this.#base.sheets.map(({ items }) => items)];
    return new Set(all.flatMap((items) => Object.keys(items)));
  }

  run(steps: number): void {
    for (let step = 0; step < steps && this.failures.length === 0; step++) {
      const person = this.#people[Math.floor(this.#random() * clients.length)]!;
      const dice = this.#random();
      if (dice < 0.62) this.#edit(person);
      else if (dice < 0.72) this.#step(person, 'undo');
      else if (dice < 0.75) this.#step(person, 'redo');
      else if (dice < 0.88) this.#pull(person, 1 + Math.floor(this.#random() * 6));
      else this.#push(person);
    }
  }

  /** Everybody sends and sees everything; then all must be equal. */
  finish(): void {
    if (this.failures.length > 0) return;
    for (const person of this.#people) this.#push(person, true);
    for (const person of this.#people) this.#pull(person, Infinity);
    for (const { names, replica } of this.#people) {
      if (replica.local.length > 0) this.failures.push(`${names.clientId} has something left`);
      if (!sameWorkbook(replica.document, this.#server))
        this.failures.push(`${names.clientId} has come to something else`);
    }
  }

  #edit(person: Person): void {
    const { replica, random } = person;
    const dice = this.#random();
    const operation =
      dice < 0.5
        ? random.set(replica.document)
        : dice < 0.75
          ? random.structure(replica.document)
          : random.other(replica.document);
    const meant = operation.op === 'set' ? this.#meant(person, operation) : new Map<string, string>();
    const dispatched = replica.dispatch({ operations: [operation] });
    if (!dispatched) return;
    this.#note(person, dispatched.made, meant, null);
  }

  #step(person: Person, which: 'undo' | 'redo'): void {
    const { replica } = person;
    const step = replica.nextStep(which);
    if (!step) return;
    const { made } = replica.dispatch({ history: which })!;
    this.#note(person, made, new Map(), step.of.map(keyOf));
  }

  #note(
    person: Person,
    made: readonly NamedOperation<CellTypes>[],
    meant: ReadonlyMap<string, string>,
    takesBack: readonly string[] | null,
  ): void {
    for (const { name } of made) this.#made.set(keyOf(name), { meant, takesBack, knownIndex: person.index });
  }

  /** The cells that a set is for, as this person sees them. */
  #meant(person: Person, operation: CellOperation & { readonly op: 'set' }): Map<string, string> {
    const ghosts = this.#ghosts[person.index]!.clone();
    for (const { operation: local, name } of person.replica.local) ghosts.apply(local, keyOf(name));
    const meant = new Map<string, string>();
    for (const [row, column, { v }] of operation.cells) {
      const id = ghosts.at(operation.sheet, row, column);
      if (typeof v === 'string' && id !== undefined) meant.set(v, id);
    }
    this.sets += meant.size;
    return meant;
  }

  #pull(person: Person, count: number): void {
    const end = Math.min(this.log.length, person.index + count);
    const over = this.log.slice(person.index, end).map((text, at): LoggedOperation<CellTypes> => {
      const change = decodeEnvelope(text);
      if (typeof change === 'string') throw new Error(change);
      const applied = this.#applied[person.index + at]!;
      const name = { clientId: change.clientId, number: change.number! };
      return applied
        ? { operation: change.step as CellOperation, name }
        : { operation: { op: 'nothing' }, name: null };
    });
    if (over.length === 0) return;
    person.index = end;
    person.replica.rebase(over);
  }

  readonly #applied: boolean[] = [];

  /** @param isLast nothing is lost on the way */
  #push(person: Person, isLast = false): void {
    this.#pull(person, Infinity);
    const { replica } = person;
    const count = isLast ? replica.local.length : Math.ceil(replica.local.length * this.#random());
    const changes = replica.local.slice(0, count);
    for (const { operation, name } of changes) this.#append(operation, name);
    // The answer is lost now and then: what was stored is seen in the log then.
    if (!isLast && this.#random() < 0.2) return;
    const skipped = this.#applied.slice(person.index).some((one) => !one);
    if (skipped) throw new Error('a local operation did not apply');
    person.index = this.log.length;
    replica.acknowledge(count);
  }

  #append(operation: CellOperation, name: ChangeName): void {
    const text = encodeChange(name.clientId, operation, name.number);
    const index = this.log.length;
    const before = this.#ghosts[index]!;
    const after = applyChange(this.#server, text);
    this.log.push(text);
    const isApplied = typeof after !== 'string';
    this.#applied.push(isApplied);
    this.#indexes.set(keyOf(name), index);
    const ghosts = isApplied ? before.clone() : before;
    if (isApplied) ghosts.apply(operation, keyOf(name));
    this.#ghosts.push(ghosts);
    if (!isApplied) {
      this.failures.push(`${text} does not apply: ${after}`);
      return;
    }
    this.#server = after;
    for (const one of operation.op === 'several' ? [operation, ...operation.operations] : [operation])
      for (const deed of deedsOf(one)) this.deeds.add(deed);
    this.#checkLanding(operation, name, ghosts, index);
    this.#checkUndo(operation, name, before, ghosts, index);
  }

  #checkLanding(operation: CellOperation, name: ChangeName, ghosts: GhostCells, index: number): void {
    const { meant } = this.#made.get(keyOf(name))!;
    const parts = operation.op === 'several' ? operation.operations : [operation];
    const landed = new Set<string>();
    for (const part of parts) {
      if (part.op !== 'set') continue;
      for (const [row, column, { v }] of part.cells) {
        const id = typeof v === 'string' ? meant.get(v) : undefined;
        if (id === undefined) continue;
        landed.add(v as string);
        const found = ghosts.at(part.sheet, row, column);
        if (found !== id) this.failures.push(`${index}: ${v} was meant for ${id} and is on ${found}`);
      }
    }
    this.landed += landed.size;
    if (landed.size === meant.size) return;
    const places = ghosts.places();
    for (const [text, id] of meant) {
      if (!landed.has(text) && places.has(id))
        this.failures.push(`${index}: ${text} was meant for ${id} and is lost`);
    }
  }

  #checkUndo(
    operation: CellOperation,
    name: ChangeName,
    before: GhostCells,
    after: GhostCells,
    index: number,
  ): void {
    const { takesBack, knownIndex } = this.#made.get(keyOf(name))!;
    const written: string[] = [];
    for (const effect of effectsOf(operation)) {
      for (const {
        sheet,
        area: [r1, c1, r2, c2],
        part,
      } of effect.written) {
        if (
          part !== 'content' ||
          (effect.operation.op !== 'set' &&
            effect.operation.op !== 'block' &&
            effect.operation.op !== 'clear' &&
            effect.operation.op !== 'fill')
        )
          continue;
        for (let row = r1; row <= Math.min(r2, 40); row++) {
          for (let column = c1; column <= Math.min(c2, 40); column++) {
            const id = after.at(sheet, row, column);
            if (id !== undefined) written.push(id);
          }
        }
      }
    }
    if (takesBack) {
      const since = Math.max(-1, ...takesBack.map((key) => this.#indexes.get(key) ?? knownIndex - 1));
      const gone =
        operation.op === 'set' || operation.op === 'put' || operation.op === 'patch'
          ? []
          : this.#gone(before, after, operation);
      for (const id of [...written, ...gone]) {
        const [writer, at] = this.#writers.get(id) ?? [name.clientId, -1];
        if (writer !== name.clientId && at > since) {
          this.failures.push(
            `${index}: ${name.clientId} takes back ${takesBack.join()} and with it ${id} of ${writer} (${at}): ${this.log.at(-1)}`,
          );
        }
      }
    }
    for (const id of written) this.#writers.set(id, [name.clientId, index]);
  }

  /** Cells that were there and are not any more. */
  #gone(before: GhostCells, after: GhostCells, operation: CellOperation): string[] {
    const moves = effectsOf(operation).some(({ map }) => map !== null);
    if (!moves) return [];
    const [places, earlier] = [after.places(), before.places()];
    return [...this.#writers.keys()].filter((id) => !places.has(id) && earlier.has(id));
  }
}

function deedsOf(operation: CellOperation): string[] {
  const { op } = operation;
  const about = 'kind' in operation ? [`${op} ${operation.kind}`] : [];
  const fields =
    'patch' in operation ? Object.keys(operation.patch ?? {}).map((name) => `${op} ${name}`) : [];
  return [op, ...about, ...fields];
}
