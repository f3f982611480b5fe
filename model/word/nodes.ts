import type { NodeSpec } from 'prosemirror-model';
import { flag, integer, listOf, matching, optional, required, text, withDefault } from './attributes.ts';
import * as values from './values.ts';

const identity = {
  /** The block or inline of the opened file that this one is; the file's XML is found by it. */
  id: optional(values.nodeId),
};

/** Null while the tracked changes stand that the file has of it, as `revisions` of the document says. */
const settled = optional(values.decision);

const derivedIdentity = {
  ...identity,
  settled,
  /** The block of the opened file from which a new one takes what the model does not hold (borders, tab stops). */
  origin: optional(values.nodeId),
};

const opaqueAttributes = {
  ...identity,
  /** Qualified name of the XML element, or `field` for a complex field. */
  kind: withDefault('', matching(/^[A-Za-z0-9_.:-]{0,64}$/)),
  /** Its text, shortened, to show in its place. */
  label: withDefault('', text(200)),
  /** What it refers to: the id of a footnote, a bookmark's name. */
  ref: optional(values.name),
  /** A picture of the package that shows it (a drawing's fallback, an object's preview), and its size. */
  picture: optional(values.mediaPath),
  width: withDefault(0, values.emu),
  height: withDefault(0, values.emu),
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
  /** Written from right to left (17.3.1.6). */
  rtl: optional(flag),
  shading: optional(values.hexColor),
};

/** Tracked insertion and deletion of the paragraph's mark (17.13.5.20 and 17.13.5.15): of the break to the next one. */
const markRevisions = {
  markInserted: optional(values.revision),
  markDeleted: optional(values.revision),
};

const paragraph: NodeSpec = {
  group: 'block',
  content: 'inline*',
  attrs: { ...derivedIdentity, ...paragraphProperties, ...markRevisions },
  parseDOM: [{ tag: 'p' }],
  toDOM: (node) => ['p', { 'data-id': node.attrs.id }, 0],
};

const opaqueBlock: NodeSpec = {
  group: 'block',
  atom: true,
  attrs: { ...opaqueAttributes, settled },
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
  attrs: {
    ...derivedIdentity,
    /** Id of the table style. */
    style: optional(values.name),
    /** Whether lines are drawn around cells; a hint for the view, written for new tables only. */
    lined: withDefault(true, flag),
    align: optional(values.tableAlignment),
  },
  parseDOM: [{ tag: 'table' }],
  toDOM: () => ['table', ['tbody', 0]],
};

const tableRow: NodeSpec = {
  content: 'table_cell*',
  tableRole: 'row',
  attrs: {
    ...derivedIdentity,
    /** Repeated at the top of each page (17.4.49). */
    header: withDefault(false, flag),
    /** Least height, twips. */
    height: optional(values.twips),
  },
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
    shading: optional(values.hexColor),
    verticalAlign: optional(values.cellAlignment),
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

/**
 * A comment or the answer to one, where its reference stands in the text (17.13.4.5). Anchors of kind
 * `commentRangeStart` and `commentRangeEnd` with the same `ref` enclose what it is about. An answer stands beside
 * what it answers.
 */
const comment: NodeSpec = {
  ...inlineAtom,
  selectable: false,
  attrs: {
    ...identity,
    /** The file's number of the comment, or a new one's own name. */
    ref: required(values.commentRef),
    /** `ref` of the comment that it answers. */
    parent: optional(values.commentRef),
    author: withDefault('', values.name),
    initials: withDefault('', values.initials),
    date: optional(values.dateTime),
    /** Plain text; paragraphs are separated by line feeds. */
    text: withDefault('', text(32_000)),
    /** Resolved. */
    done: withDefault(false, flag),
  },
  toDOM: (node) => ['a', { class: 'comment', 'data-ref': node.attrs.ref }],
};

export const nodes = {
  doc: {
    content: 'block+',
    attrs: {
      settled,
      /** The protection that the file had has been lifted. */
      lifted: withDefault(false, flag),
    },
  },
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
  comment,
} as const satisfies Record<string, NodeSpec>;
