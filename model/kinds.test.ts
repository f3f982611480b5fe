import { describe, expect, test } from 'vitest';
import { EditorType } from '../client/protocol/codes.ts';
import {
  documentForms,
  type Kind,
  KindTable,
  kinds,
  nativeTypeOf,
  ownTypesOf,
  UnknownModelError,
} from './kinds.ts';

const drawings: Kind = {
  name: 'drawing',
  editorType: EditorType.diagram,
  model: { name: 'strokes', version: 3 },
  nativeTypes: ['strokes'],
  templates: ['strokest'],
  otherTypes: ['svg', 'xml'],
};

describe('the table of kinds', () => {
  test('[KD7] names each kind once, and each native type, template and model is of one kind', () => {
    const { all } = kinds;
    const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length);
    unique(all.flatMap(({ name, formerName }) => (formerName === undefined ? [name] : [name, formerName])));
    unique(all.flatMap(ownTypesOf));
    unique([...kinds.models, ...documentForms]);
    expect(all.map((kind) => [kind.name, nativeTypeOf(kind), kind.editorType])).toEqual([
      ['word', 'docx', 0],
      ['cell', 'xlsx', 1],
      ['slide', 'pptx', 2],
      ['pdf', 'pdf', 0],
      ['diagram', 'vsdx', 3],
    ]);
  });

  test.each([
    ['docx', undefined, 'word'],
    ['docx', 'cell', 'word'],
    ['xml', undefined, 'word'],
    ['xml', 'spreadsheet', 'cell'],
    ['strange', 'text', 'word'],
    ['strange', undefined, undefined],
  ])('[KD7] the type of a file decides its kind: %s, named %s, is %s', (fileType, named, expected) => {
    const kind = named === undefined ? undefined : kinds.named(named);
    expect(kinds.ofFile(fileType, kind)?.name).toBe(expected);
  });

  test('[KD7] a further kind has its model, its types and its version like any other', () => {
    const table = new KindTable(kinds.all);
    expect(() => table.versionOf('strokes')).toThrow(UnknownModelError);
    table.add(drawings);
    expect([table.models, table.versionOf('strokes'), table.versionOf('opaque')]).toEqual([
      ['word', 'cell', 'strokes'],
      3,
      1,
    ]);
    expect(table.ofType('xml').map(({ name }) => name)).toEqual(['word', 'cell', 'drawing']);
    expect(table.ofModel('strokes')).toBe(drawings);
    expect([table.ofModel('binary'), table.ofModel('slide'), table.ofModel(null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(kinds.knows('strokes')).toBe(false);
  });

  test.each<[string, Partial<Kind>, RegExp]>([
    ['name', { name: 'text' }, /a kind "text" already/],
    ['model', { model: { name: 'word', version: 1 } }, /a model "word" already/],
    ['model, which is the name of a form', { model: { name: 'opaque', version: 1 } }, /"opaque" already/],
    ['native type', { nativeTypes: ['dotx'] }, /"dotx" are of another kind/],
  ])('[KD4] a kind whose %s is taken is no further one', (_what, change, problem) => {
    const table = new KindTable(kinds.all);
    expect(() => table.add({ ...drawings, ...change })).toThrow(problem);
    expect(table.all).toBe(kinds.all);
  });
});
