import type { NodeSpec } from 'prosemirror-model';
import { flag, integer, listOf, matching, optional, text, withDefault } from './attributes.ts';
import * as values from './values.ts';

const identity = {
  /** The block or inline of the opened file that this one is; the file's XML is found by it. */
  id: optional(values.nodeId),
};

const derivedIdentity = {
  ...identity,
  /** The block of the opened file from which a new one takes what the model does not hold (borders, tab stops). */
  origin: optional(values.nodeId),
};

const opaqueAttributes = {
  ...identity,
  /** Qualified name of the XML element, or `field` for a complex field. */
  kind: withDefault('', matching(/^[A-Za-z0-9_.:-]{0,64}$/)),
  /** Its text, shortened, to show in its place. */
  label: withDefault('', text(200)),
};

/** Paragraph properties (17.3.1) in twips; null is "as the style says". `indentFirst` below zero is a hanging indent. */
export const paragraphProperties = {
  style: optional(values.name),
  align: optional(values.alignment),
  indentLeft: optional(values.signedTwips),
  indentRight: optional(values.signedTwips),
  indentFirst: optional(values.signedTwips),
  spaceBefore: optional(values.twips),
  spaceAfter: optional(values.twips),
  /** 240ths of a line when `lineRule` is auto or null, else twips. */
  line: optional(values.twips),
  lineRule: optional(values.lineRule),
  listId: optional(values.listId),
  listLevel: optional(values.listLevel),
  keepNext: optional(flag),
  keepLines: optional(flag),
  pageBreakBefore: optional(flag),
};

const paragraph: NodeSpec = {
  group: 'block',
  content: 'inline*',
  attrs: { ...derivedIdentity, ...paragraphProperties },
  parseDOM: [{ tag: 'p' }],
  toDOM: (node) => ['p', { 'data-id': node.attrs.id }, 0],
};

const opaqueBlock: NodeSpec = {
  group: 'block',
  atom: true,
  attrs: opaqueAttributes,
  toDOM: (node) => ['div', { class: 'opaque', 'data-kind': node.attrs.kind }, node.attrs.label],
};

const blockWrap: NodeSpec = {
  group: 'block',
  content: 'block+',
  attrs: identity,
  toDOM: () => ['section', 0],
};

const table: NodeSpec = {
  group: 'block',
  content: 'table_row+',
  tableRole: 'table',
  isolating: true,
  attrs: identity,
  parseDOM: [{ tag: 'table' }],
  toDOM: () => ['table', ['tbody', 0]],
};

const tableRow: NodeSpec = {
  content: 'table_cell*',
  tableRole: 'row',
  attrs: derivedIdentity,
  parseDOM: [{ tag: 'tr' }],
  toDOM: () => ['tr', 0],
};

/** `colwidth` has a width in CSS pixels (15 twips) for each column it spans, as prosemirror-tables wants it. */
const tableCell: NodeSpec = {
  content: 'block+',
  tableRole: 'cell',
  isolating: true,
  attrs: {
    ...derivedIdentity,
    colspan: withDefault(1, integer(1, 63)),
    rowspan: withDefault(1, integer(1, 32_767)),
    colwidth: optional(listOf(integer(0, 10_000), 63)),
  },
  parseDOM: [{ tag: 'td' }, { tag: 'th' }],
  toDOM: (node) => ['td', { colspan: node.attrs.colspan, rowspan: node.attrs.rowspan }, 0],
};

const inlineAtom = { group: 'inline', inline: true, atom: true } as const;

const lineBreak: NodeSpec = {
  ...inlineAtom,
  selectable: false,
  attrs: { type: optional(values.breakType) },
  leafText: () => '\n',
  parseDOM: [{ tag: 'br' }],
  toDOM: () => ['br'],
};

const tab: NodeSpec = { ...inlineAtom, leafText: () => '\t', toDOM: () => ['span', { class: 'tab' }, '\t'] };

/** An inline picture (20.4.2.8). A new one has no id and a path whose bytes the editor has uploaded. */
const image: NodeSpec = {
  ...inlineAtom,
  attrs: {
    ...identity,
    src: { validate: values.mediaPath },
    width: withDefault(0, values.emu),
    height: withDefault(0, values.emu),
    alt: withDefault('', text(4_000)),
  },
  toDOM: (node) => ['img', { 'data-src': node.attrs.src, alt: node.attrs.alt }],
};

const opaqueInline: NodeSpec = {
  ...inlineAtom,
  attrs: opaqueAttributes,
  toDOM: (node) => ['span', { class: 'opaque', 'data-kind': node.attrs.kind }, node.attrs.label],
};

/** Start or end of a comment's range, a bookmark or the like: invisible, but it moves with the text. */
const anchor: NodeSpec = {
  ...inlineAtom,
  selectable: false,
  attrs: { ...identity, kind: opaqueAttributes.kind, ref: optional(values.name) },
  toDOM: (node) => ['a', { class: 'anchor', 'data-kind': node.attrs.kind }],
};

export const nodes = {
  doc: { content: 'block+' },
  paragraph,
  opaque_block: opaqueBlock,
  block_wrap: blockWrap,
  table,
  table_row: tableRow,
  table_cell: tableCell,
  text: { group: 'inline' },
  line_break: lineBreak,
  tab,
  image,
  opaque_inline: opaqueInline,
  anchor,
} as const satisfies Record<string, NodeSpec>;
