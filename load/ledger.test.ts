import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cellAddress } from '../model/cell-address.ts';
import { placeOf, textOfChange } from './cell-batches.ts';
import { sourceDocx, sourceText, textOf } from './document-text.ts';
import { type Account, fileDifference, logDifference, type Work } from './ledger.ts';
import { loadKinds } from './load-kinds.ts';
import { cellsOf, sourceCells, sourceXlsx } from './sheet-cells.ts';
import { tracesOf } from './word-batches.ts';

const changesPerSave = 3;
const one = '000001';
const other = '00000z';

function accountOf(works: Record<string, Work>): Account {
  return { key: 'some', edition: 2, works: new Map(Object.entries(works)) };
}

/** A file in whose first paragraph these saves were typed, the oldest first. */
function fileWith(
  saves: readonly (readonly [string, number])[],
  change = (typed: string) => typed,
): Uint8Array {
  const typed = saves.toReversed().map(([author, serial]) => tracesOf(author, serial, changesPerSave));
  const parts = unzipSync(sourceDocx(2));
  const xml = strFromU8(parts['word/document.xml']!);
  const written = xml.replace('>Edition 2.', `>${change(typed.join(''))}Edition 2.`);
  return zipSync({ ...parts, 'word/document.xml': strToU8(written) });
}

function archiveWith(saves: readonly (readonly [string, number])[], perSave = changesPerSave): Uint8Array {
  const changes = saves.flatMap(([author, serial]) =>
    Array.from({ length: perSave }, (_, number) =>
      JSON.stringify({
        c: author,
        n: number,
        s: { text: number === 0 ? `[${author}.${String(serial).padStart(6, '0')}]` : 'x' },
      }),
    ),
  );
  return zipSync({ 'changes0.json': strToU8(JSON.stringify(changes)) });
}

const both = { [one]: { acknowledged: 2, sent: 2 }, [other]: { acknowledged: 1, sent: 2 } };

describe('what came back is compared with what was acknowledged', () => {
  it('[LD10] the text of the source is read back from its file', () => {
    expect(textOf(sourceDocx(5))).toBe(sourceText(5));
  });

  it.each([
    [
      'all that was acknowledged',
      [
        [one, 0],
        [other, 0],
        [one, 1],
      ],
    ],
    [
      'a save more, which was sent and not acknowledged',
      [
        [one, 0],
        [other, 0],
        [other, 1],
        [one, 1],
      ],
    ],
  ] as const)('[LD10] nothing differs: %s', (_name, saves) => {
    expect(fileDifference(accountOf(both), loadKinds.word, changesPerSave, fileWith(saves))).toBeNull();
    expect(logDifference(accountOf(both), changesPerSave, archiveWith(saves))).toBeNull();
  });

  it.each([
    [
      'a save is missing',
      [
        [one, 0],
        [other, 0],
      ],
    ],
    [
      'a save in the middle is missing',
      [
        [one, 1],
        [other, 0],
      ],
    ],
    [
      'a save is there twice',
      [
        [one, 0],
        [one, 0],
        [one, 1],
        [other, 0],
      ],
    ],
    [
      'two saves are in another order',
      [
        [one, 1],
        [one, 0],
        [other, 0],
      ],
    ],
    [
      'a save is there that nobody sent',
      [
        [one, 0],
        [one, 1],
        [one, 2],
        [other, 0],
      ],
    ],
    [
      'a stranger saved',
      [
        [one, 0],
        [one, 1],
        [other, 0],
        ['00000q', 0],
      ],
    ],
    ['nothing is there', []],
  ] as const)('[LD11] it differs, in file and log: %s', (_name, saves) => {
    expect(fileDifference(accountOf(both), loadKinds.word, changesPerSave, fileWith(saves))).not.toBeNull();
    expect(logDifference(accountOf(both), changesPerSave, archiveWith(saves))).not.toBeNull();
  });

  it('[LD11] a single change that is lost, or changed, differs', () => {
    const saves = [
      [one, 0],
      [other, 0],
      [one, 1],
    ] as const;
    const file = (change: (typed: string) => string) =>
      fileDifference(accountOf(both), loadKinds.word, changesPerSave, fileWith(saves, change));
    expect(file((typed) => typed)).toBeNull();
    for (let at = 0; at < 2 * changesPerSave * 6; at += 1) {
      expect(file((typed) => typed.slice(0, at) + typed.slice(at + 1))).not.toBeNull();
      expect(file((typed) => `${typed.slice(0, at)}~${typed.slice(at + 1)}`)).not.toBeNull();
    }
    expect(logDifference(accountOf(both), changesPerSave, archiveWith(saves, 2))).not.toBeNull();
  });

  it('[LD11] a file that lost the text of its source, or is no file, differs', () => {
    const account = accountOf({});
    expect(fileDifference(account, loadKinds.word, changesPerSave, sourceDocx(2))).toBeNull();
    expect(fileDifference(account, loadKinds.word, changesPerSave, sourceDocx(3))).not.toBeNull();
    expect(fileDifference(account, loadKinds.word, changesPerSave, new Uint8Array(10))).not.toBeNull();
  });
});

describe('what was saved in cells', () => {
  type Save = readonly [author: string, serial: number];
  const saves: readonly Save[] = [
    [one, 0],
    [other, 0],
    [one, 1],
  ];
  const cell = (name: string, text: string) => `<c r="${name}" t="inlineStr"><is><t>${text}</t></is></c>`;
  /** The source with further cells: rows in which they would stand do not matter for reading. */
  const fileWithCells = (xml: string) => {
    const parts = unzipSync(sourceXlsx(2));
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
    const written = sheet.replace('</sheetData>', `<row>${xml}</row></sheetData>`);
    return zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(written) });
  };
  const cellsOfSaves = (all: readonly Save[]) =>
    all.flatMap(([author, serial]) =>
      Array.from({ length: changesPerSave }, (_, change) => {
        const { row, column } = placeOf(author, serial, change, changesPerSave);
        return cell(cellAddress(row, column), textOfChange(author, serial, change));
      }),
    );
  const difference = (xml: string) =>
    fileDifference(accountOf(both), loadKinds.cell, changesPerSave, fileWithCells(xml));

  it('[LD10] is read back from its file', () => {
    expect(cellsOf(sourceXlsx(5))).toEqual(sourceCells(5));
    expect([cellAddress(0, 0), cellAddress(9, 25), cellAddress(1, 26), cellAddress(0, 16_383)]).toEqual([
      ...['A1', 'Z10', 'AA2', 'XFD1'],
    ]);
    expect(difference(cellsOfSaves(saves).join(''))).toBeNull();
    expect(difference(cellsOfSaves([...saves, [other, 1]]).join(''))).toBeNull();
  });

  it('[LD11] it differs where a cell is lost, moved or changed, or of a stranger', () => {
    const written = cellsOfSaves(saves);
    for (const at of written.keys()) {
      expect(difference(written.toSpliced(at, 1).join(''))).not.toBeNull();
      expect(difference(written.with(at, cell('AB400', 'x')).join(''))).not.toBeNull();
    }
    expect(difference(cellsOfSaves(saves.slice(1)).join(''))).not.toBeNull();
    expect(difference(cellsOfSaves([...saves, ['00000q', 0]]).join(''))).not.toBeNull();
    expect(difference([...written, cell('A900', 'more')].join(''))).not.toBeNull();
    expect(fileDifference(accountOf({}), loadKinds.cell, changesPerSave, sourceXlsx(3))).not.toBeNull();
  });
});
