import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inFile, opened } from '../../converter/engines/ooxml/xlsx/testing/xlsx-edit.ts';
import { validWorkbook } from '../../converter/engines/ooxml/xlsx/valid-workbook.ts';
import { openXlsx, xlsxEngine } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { CONVERSION_ERROR, ConversionError } from '../../converter/errors.ts';
import { cellModel } from '../../model/cell/cell-model.ts';
import { applyChange } from '../../model/cell/change.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { isLeftOpen } from '../../model/cell/protection.ts';
import type { Sheet, Workbook } from '../../model/cell/workbook.ts';
import { ownWorkbooks } from '../corpus/workbooks.ts';
import { corpusFile, corpusNames, type NamedDocument, needsCorpus } from '../support/corpus.ts';
import { mutateWorkbook } from '../support/fuzzing/workbook-mutations.ts';
import { checkSaves } from '../support/fuzzing/workbook-saves.ts';

/** Those that are large are for the bench program. */
const MOST_BYTES = 40_000;
const others: NamedDocument[] = corpusNames('xlsx')
  .filter((name) => /\.xls[xm]$/.test(name))
  .map((name) => [name, corpusFile(`xlsx/${name}`)!] as const)
  .filter(([, bytes]) => bytes.length <= MOST_BYTES);
/** Of a vocabulary that was never published. */
const refused = new Set(['sample-beta.xlsx']);
const opening = [...ownWorkbooks, ...others.filter(([name]) => !refused.has(name))];
const engine = xlsxEngine();

function assembled(
  bytes: Uint8Array,
  operations: readonly CellOperation[],
  checkpoint: string | null = null,
) {
  const changes = operations.map((operation, index) => cellModel.encode('client', operation, index));
  return engine.assemble(bytes, { checkpoint, changes, wantsCheckpoint: false }, {});
}

/** The workbook after operations; those that do not apply are left out. */
function afterwards(workbook: Workbook, operations: readonly CellOperation[]): Workbook {
  return operations.reduce((doc, operation) => {
    const next = applyChange(doc, cellModel.encode('client', operation, 0));
    return typeof next === 'string' ? doc : next;
  }, workbook);
}

/** Takes the protection off a sheet, where that has no password of which only a hash is known. */
function opensOf({ id, properties }: Sheet): CellOperation[] {
  if (!properties.protection) return [];
  const { password } = properties.protection.extra ?? {};
  const proof = typeof password === 'string' ? { proof: password } : {};
  return [{ op: 'sheet', sheet: id, patch: { protection: null }, ...proof }];
}

const sheetsOf = ({ sheets }: Workbook) =>
  sheets.filter(({ properties }) => properties.type === undefined || properties.type === 'cells');

describe(`workbooks of many kinds, ${needsCorpus}`, () => {
  test.each(opening)('[XE2] an untouched save of %s is byte identical', (_name, bytes) => {
    expect(Buffer.compare(assembled(bytes, []).bytes, bytes)).toBe(0);
  });

  test.each(opening)(
    '[XE4] cells set in %s are in its file, and nothing else is other than before',
    (_name, bytes) => {
      const workbook = opened(bytes);
      const [sheet] = sheetsOf(workbook);
      const cells = [
        [0, 0, { v: 'Quire <&> _x000D_' }] as const,
        [4_999, 2, { f: 'A1&"x"', v: 'y' }] as const,
      ];
      const operations: CellOperation[] = [...opensOf(sheet!), { op: 'set', sheet: sheet!.id, cells }];
      const saved = assembled(bytes, operations);
      const isOpen = isLeftOpen(afterwards(workbook, operations), operations.at(-1)!);
      expect(saved.applied).toBe(isOpen ? operations.length : 0);
      expect(inFile(opened(saved.bytes))).toEqual(inFile(afterwards(workbook, operations)));
    },
  );

  test.each(opening)(
    '[XE5] a row inserted in the middle of each sheet of %s is read as it was meant',
    (_name, bytes) => {
      const workbook = opened(bytes);
      const operations = sheetsOf(workbook).map(
        ({ id, grid }): CellOperation => ({
          ...{ op: 'insert', axis: 'row', sheet: id, at: Math.max(1, grid.height >> 1), count: 1 },
        }),
      );
      const saved = assembled(bytes, operations);
      expect(inFile(opened(saved.bytes))).toEqual(inFile(afterwards(workbook, operations)));
      const back = operations.map(
        (operation): CellOperation => ({ ...operation, op: 'delete' }) as CellOperation,
      );
      expect(Buffer.compare(assembled(bytes, [...operations, ...back]).bytes, bytes)).toBe(0);
    },
  );

  test.each(ownWorkbooks)('[XE17] a save of %s is the same by way of a checkpoint', (_name, bytes) => {
    const [sheet] = sheetsOf(opened(bytes));
    const operations: CellOperation[] = [
      ...opensOf(sheet!),
      { op: 'set', sheet: sheet!.id, cells: [[1, 1, { v: 7 }]] },
      { op: 'insert', axis: 'row', sheet: sheet!.id, at: 1, count: 2 },
    ];
    const changes = operations.map((operation, index) => cellModel.encode('client', operation, index));
    const { checkpoint } = engine.checkpoint(bytes, { checkpoint: null, changes, wantsCheckpoint: true });
    const direct = assembled(bytes, operations);
    expect(checkpoint).not.toBeNull();
    expect(Buffer.compare(assembled(bytes, [], checkpoint).bytes, direct.bytes)).toBe(0);
  });

  test.each(ownWorkbooks)('[XE15] every truncation of %s is refused as corrupted', (_name, bytes) => {
    for (const share of [0.1, 0.5, 0.9]) {
      expect(codeOf(() => openXlsx(bytes.subarray(0, Math.floor(bytes.length * share))))).toBe(
        CONVERSION_ERROR.corrupted,
      );
    }
  });

  test.each(ownWorkbooks)(
    '[XE20] hostile files made of %s are refused, or saved without a loss',
    async (_name, bytes) => {
      for (let seed = 1; seed <= 8; seed++) {
        const hostile = mutateWorkbook(bytes, { seed, other: bytes, origin: '', mostBytes: 200_000 });
        let model: Uint8Array;
        try {
          model = modelOf(hostile.bytes);
        } catch (error) {
          expect([seed, hostile.how, error]).toEqual([seed, hostile.how, expect.any(ConversionError)]);
          continue;
        }
        const saves = {
          assemble: async (source: Uint8Array, changes: readonly string[]) =>
            engine.assemble(source, { checkpoint: null, changes, wantsCheckpoint: false }, {}),
          reopen: async (saved: Uint8Array) => modelOf(saved),
        };
        await expect(checkSaves(hostile.bytes, model, saves), `${seed} ${hostile.how}`).resolves.toBe(
          undefined,
        );
      }
    },
  );

  test.each(ownWorkbooks)('[XE5] random operations on %s are read again from its file', (_name, bytes) => {
    const workbook = opened(bytes);
    const [sheet] = sheetsOf(workbook);
    fc.assert(
      fc.property(fc.array(operationOn(sheet!.id), { maxLength: 8 }), (random) => {
        const operations = [...opensOf(sheet!), ...random];
        const saved = assembled(bytes, operations);
        const meant = validWorkbook(workbook, afterwards(workbook, operations));
        expect(inFile(opened(saved.bytes))).toEqual(inFile(meant));
      }),
      { numRuns: 12 },
    );
  });
});

function operationOn(sheet: string): fc.Arbitrary<CellOperation> {
  const row = fc.nat(9);
  const column = fc.nat(7);
  const value = fc.oneof(fc.integer(), fc.constantFrom('text', true, null, -1.5e-7));
  const input = fc.oneof(
    value.map((v) => ({ v })),
    fc.constantFrom({ f: 'A1+B$2', v: 3 }, { f: 'SUM(A1:C3)', v: 'x' }),
  );
  const axis = fc.constantFrom('row', 'column');
  const line = { axis, at: fc.nat(6), count: fc.integer({ min: 1, max: 2 }) };
  const made = fc.oneof(
    fc.record({
      op: fc.constant('set'),
      cells: fc.array(fc.tuple(row, column, input), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('insert'), ...line }),
    fc.record({ op: fc.constant('delete'), ...line }),
    fc.record({ op: fc.constant('move'), ...line, to: fc.integer({ min: 8, max: 10 }) }),
    fc.record({
      op: fc.constant('format'),
      areas: fc.tuple(row, column).map(([r, c]) => [[r, c, r + 1, c + 1]]),
      patch: fc.constantFrom(
        { font: { bold: true } },
        { number: '0.0' },
        { fill: { pattern: 'solid', color: { rgb: 'FFFF00' } } },
      ),
    }),
    fc.record({
      op: fc.constant('lines'),
      axis,
      spans: fc.tuple(row).map(([at]) => [[at, at + 1]]),
      patch: fc.constantFrom({ size: 30, custom: true }, { hidden: true }, { level: 1 }),
    }),
    fc.record({
      op: fc.constant('clear'),
      areas: fc.tuple(row, column).map(([r, c]) => [[r, c, r + 2, c]]),
      part: fc.constantFrom('content', 'format', 'all'),
    }),
  );
  return made.map((operation) => ({ ...operation, sheet }) as unknown as CellOperation);
}

const modelOf = (bytes: Uint8Array): Uint8Array => Buffer.from(JSON.stringify(openXlsx(bytes).model));

function codeOf(open: () => unknown): number | undefined {
  try {
    open();
  } catch (error) {
    if (error instanceof ConversionError) return error.serviceError;
    throw error;
  }
  return undefined;
}
