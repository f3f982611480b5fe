import fc from 'fast-check';
import { type ItemKind, isWorkbookItemKind, itemSchemas } from '../../../model/cell/items.ts';
import { hostileNumbers, hostileTexts, valuesOf } from './schema-values.ts';

const sheet = 's1';
const text = fc.constantFrom(...hostileTexts);
const number = fc.constantFrom(...hostileNumbers);
const json = fc.oneof(text, number, fc.constantFrom<unknown>(null, true, [], {}, [1], { a: 1 }));

const kinds = Object.keys(itemSchemas) as ItemKind[];
const put = fc.constantFrom(...kinds).chain((kind) =>
  fc.record({
    op: fc.constant('put'),
    sheet: fc.constant(isWorkbookItemKind(kind) ? null : sheet),
    kind: fc.constant(kind),
    id: fc.constantFrom('m.1', 'm.2', '1', '2'),
    item: valuesOf(itemSchemas[kind]),
  }),
);
/** Of items that an operation before has put, or that the file has. */
const patch = fc.constantFrom(...kinds).chain((kind) =>
  fc.record({
    op: fc.constant('patch'),
    sheet: fc.constant(isWorkbookItemKind(kind) ? null : sheet),
    kind: fc.constant(kind),
    id: fc.constantFrom('m.1', 'm.2', '1', 'c1', 'v1', 'm1', 'l1', 't1', 'd1'),
    patch: valuesOf(itemSchemas[kind]),
  }),
);
const page = fc.record(
  {
    orientation: fc.oneof(text, fc.constant('landscape')),
    paper: fc.oneof(number, json),
    scalePercent: number,
    fitsTo: fc.oneof(json, fc.record({ width: number, height: number })),
    margins: fc.oneof(
      json,
      fc.record({ left: number, right: number, top: number, bottom: number, header: number, footer: number }),
    ),
    header: fc.oneof(text, json),
    footer: fc.oneof(text, text),
  },
  { requiredKeys: [] },
);
const properties = fc.record(
  {
    name: text,
    state: fc.constantFrom('visible', 'hidden', 'veryHidden'),
    color: fc.oneof(json, fc.record({ rgb: text }), fc.record({ theme: number, tint: number })),
    frozen: fc.record({ rows: number, columns: number }),
    zoomPercent: number,
    rowHeight: number,
    columnWidth: number,
    rightToLeft: fc.boolean(),
    page,
    protection: fc.record({ allows: fc.constant([]), extra: fc.dictionary(text, json, { maxKeys: 3 }) }),
  },
  { requiredKeys: [] },
);
const value = fc.oneof(
  text,
  number,
  fc.record({ e: fc.oneof(text, fc.constant('#N/A')) }),
  fc.record({
    r: fc.array(fc.record({ t: text, font: fc.record({ name: text, size: number }) }), { maxLength: 2 }),
  }),
);
const formula = fc.oneof(
  text,
  fc.record({ t: text, a: fc.tuple(fc.constantFrom('array', 'dynamic', 'data'), number, number) }),
);
const input = fc.record({ v: value, f: formula, s: fc.constantFrom(0, 0, 1) }, { requiredKeys: [] });
const format = fc.record(
  {
    number: text,
    font: fc.record({ name: text, size: number, color: fc.record({ theme: number, tint: number }) }),
    fill: fc.record({ pattern: text, color: fc.record({ indexed: number }) }),
    border: fc.record({ top: fc.record({ style: text }) }),
    align: fc.record({ rotation: number, indent: number }),
  },
  { requiredKeys: [] },
);
/** What somebody may send who may change a workbook, as JSON: operations on its first sheet, most of which apply. */
export const hostileOperation: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 4, arbitrary: patch },
  { weight: 2, arbitrary: properties.map((patch) => ({ op: 'sheet', sheet, patch })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ calculation: fc.dictionary(text, json), structureKey: fc.dictionary(text, json) })
      .map((patch) => ({ op: 'workbook', patch: { ...patch, protected: true } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.nat(3), fc.nat(3), input), { maxLength: 3 })
      .map((cells) => ({ op: 'set', sheet, cells, formats: [{}, { number: '0' }] })),
  },
  { weight: 2, arbitrary: format.map((patch) => ({ op: 'format', sheet, areas: [[0, 0, 1, 1]], patch })) },
  {
    weight: 1,
    arbitrary: fc.record({ size: number, level: fc.nat(9) }).map((patch) => {
      return { op: 'lines', sheet, axis: 'column', spans: [[0, 2]], patch };
    }),
  },
  {
    weight: 1,
    arbitrary: text.map((name) => ({ op: 'addSheet', sheet: 'm.9', name, at: 0, copyOf: sheet })),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'insert', sheet, axis: 'row', at: 0, count: 2 }) },
);
