import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import type { ChangeAuthor } from '../../../../model/log/change-author.ts';
import { encodeChange } from '../../../../model/word/change.ts';
import { noRights } from '../../../../model/word/rights/document-rights.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { compareVersions } from './compared-version.ts';
import { compareDocuments } from './document-diff.ts';

const { nodes } = wordSchema;
const paragraph = (text: string) => nodes.paragraph.create(null, text === '' ? [] : wordSchema.text(text));
const document = (...texts: string[]) => nodes.doc.create(null, texts.map(paragraph));

/** What is marked, as a reader sees it. */
function seen(older: ReturnType<typeof document>, newer: ReturnType<typeof document>): string[] {
  return compareDocuments(older, newer).map((difference) => {
    const block = difference.isBlock ? '¶' : '';
    return difference.kind === 'deleted'
      ? `-${block}${difference.text}`
      : `+${block}${newer.textBetween(difference.from, difference.to)}`;
  });
}

describe('what has changed from one version to the next', () => {
  it('[EH21] words inside of paragraphs, whole paragraphs, and nothing in those that are alike', () => {
    const older = document('The first one', 'The red house', 'Gone soon', 'The last one');
    expect(seen(older, older)).toEqual([]);
    expect(seen(older, document('The first one', 'The blue house', 'The last one'))).toEqual([
      '-red',
      '+blue',
      '-¶Gone soon',
    ]);
    expect(
      seen(
        older,
        document('Entirely new', ...['The first one', 'The red house', 'Gone soon', 'The last one']),
      ),
    ).toEqual(['+¶Entirely new']);
  });

  it('[EH21] a paragraph that was changed is found beside one that was put before it', () => {
    expect(
      seen(
        document('A', 'The house has a garden', 'B'),
        document('A', 'Hello', 'The house has no garden', 'B'),
      ),
    ).toEqual(['+¶Hello', '-a', '+no']);
  });

  it('[EH21] cells of tables are compared, not tables', () => {
    const table = (...texts: string[]) =>
      nodes.doc.create(null, [
        nodes.table.create(
          null,
          nodes.table_row.create(
            null,
            texts.map((text) => nodes.table_cell.create(null, paragraph(text))),
          ),
        ),
        paragraph('End'),
      ]);
    expect(seen(table('one', 'two'), table('one', 'two more'))).toEqual(['+ more']);
  });

  it('[EH22] says who wrote and who deleted what, where the changes lead to this document', () => {
    const base = document('The house', 'The tree');
    const ann = new Transform(base).insert(10, wordSchema.text(' and garden'));
    const bob = new Transform(ann.doc).insert(1, wordSchema.text('Pretty '));
    bob.delete(bob.doc.content.size - 9, bob.doc.content.size - 5);
    const changesOf = (author: string, { steps }: Transform) => ({
      author,
      changes: steps.map((step) => encodeChange(author, step)),
      stamp: null,
    });
    const names = new Map([
      ['a', 'Ann'],
      ['b', 'Bob'],
    ]);
    const changes = [changesOf('a', ann), changesOf('b', bob)];
    const marks = (newer: typeof base, known: typeof changes | null) =>
      compareVersions({ doc: base, rights: noRights }, newer, { names, changes: known }).map(
        ({ difference, author }) => [
          difference.kind === 'deleted' ? difference.text : newer.textBetween(difference.from, difference.to),
          author?.name ?? null,
        ],
      );
    const told = marks(bob.doc, changes);
    expect(told).toContainEqual([' and garden', 'Ann']);
    expect(told.find(([text]) => /Pretty/.test(String(text)))?.[1]).toBe('Bob');
    expect(told.at(-1)?.[1]).toBe('Bob');
    // Another document than the one the changes lead to: who did what is not guessed.
    expect(marks(ann.doc, changes).map(([, name]) => name)).toEqual([null]);
    expect(marks(ann.doc, null).map(([, name]) => name)).toEqual([null]);
  });

  it('[EH22] passes over what an author was not allowed, as everybody did who saw it come', () => {
    const base = document('The house');
    const bob = new Transform(base).insert(1, wordSchema.text('Untracked '));
    const ann = new Transform(base).insert(10, wordSchema.text(' and garden'));
    const changesOf = (author: string, { steps }: Transform, stamp: ChangeAuthor) => ({
      author,
      changes: steps.map((step) => encodeChange(author, step)),
      stamp,
    });
    const changes = [
      changesOf('b', bob, { name: 'Bob', may: ['review'] }),
      changesOf('a', ann, { name: 'Ann' }),
    ];
    const names = new Map([
      ['a', 'Ann'],
      ['b', 'Bob'],
    ]);
    const told = compareVersions({ doc: base, rights: noRights }, ann.doc, { names, changes });
    expect(told.map(({ author }) => author?.name)).toEqual(['Ann']);
  });
});
