import { type MarkSpec, Schema } from 'prosemirror-model';
import { flag, integer, optional, required, text, withDefault } from './attributes.ts';
import { nodes } from './nodes.ts';
import * as values from './values.ts';

/** Ordinal of the element of the opened file that the mark stands for; null for a new one. */
const key = optional(integer(0, 10_000_000));

const revision = {
  key,
  id: optional(values.decimalId),
  author: withDefault('', values.name),
  date: optional(values.dateTime),
};

function toggle(tag: string): MarkSpec {
  return { attrs: { on: withDefault(true, flag) }, toDOM: (mark) => [mark.attrs.on ? tag : 'span', 0] };
}

/**
 * The order is the nesting of elements around runs (link, within, ins, del), then the properties of runs (17.3.2).
 * `on: false` switches off what a style switches on.
 */
const marks = {
  /** A hyperlink: `href` to the outside or `anchor` to a bookmark. */
  link: {
    attrs: {
      key,
      href: optional(text(8_192)),
      anchor: optional(values.name),
      tooltip: optional(values.name),
    },
    inclusive: false,
    toDOM: (mark) => ['a', { 'data-href': mark.attrs.href }, 0],
  },
  /** Inside a content control or smart tag of the file. */
  within: { attrs: { key: required(integer(0, 10_000_000)) }, toDOM: () => ['span', 0] },
  /** Tracked insertion and deletion (17.13.5). */
  ins: { attrs: revision, toDOM: () => ['ins', 0] },
  del: { attrs: revision, inclusive: false, toDOM: () => ['del', 0] },
  bold: toggle('b'),
  italic: toggle('i'),
  strike: toggle('s'),
  underline: { attrs: { style: withDefault('single', values.underlineStyle) }, toDOM: () => ['u', 0] },
  size: {
    attrs: { halfPoints: required(values.halfPoints) },
    toDOM: (mark) => ['span', { style: `font-size: ${mark.attrs.halfPoints / 2}pt` }, 0],
  },
  font: {
    attrs: { name: required(values.name) },
    toDOM: (mark) => ['span', { 'data-font': mark.attrs.name }, 0],
  },
  color: {
    attrs: { value: required(values.hexColor) },
    toDOM: (mark) => ['span', mark.attrs.value === 'auto' ? {} : { style: `color: #${mark.attrs.value}` }, 0],
  },
  highlight: {
    attrs: { color: required(values.highlightColor) },
    toDOM: (mark) => ['mark', { 'data-color': mark.attrs.color }, 0],
  },
  vertical: {
    attrs: { align: required(values.verticalAlign) },
    toDOM: (mark) => [
      { superscript: 'sup', subscript: 'sub' }[mark.attrs.align as 'superscript' | 'subscript'] ?? 'span',
      0,
    ],
  },
  character_style: { attrs: { id: required(values.name) }, toDOM: () => ['span', 0] },
  /** Run properties that the model does not hold: an index into the document's `rx` table. */
  rx: { attrs: { index: required(integer(0, 10_000_000)) }, toDOM: () => ['span', 0] },
  /** What was decided on tracked changes of the file: of the properties of a run, or in what the model does not hold. */
  settled: { attrs: { decision: required(values.decision) }, toDOM: () => ['span', 0] },
} as const satisfies Record<string, MarkSpec>;

type WordNodeName = keyof typeof nodes;
export type WordMarkName = keyof typeof marks;

/** The marks that are direct formatting of text: how it looks, said by the text itself. */
export const directMarks = [
  'bold',
  'italic',
  'strike',
  'underline',
  'size',
  'font',
  'color',
  'highlight',
  'vertical',
] as const satisfies readonly WordMarkName[];

/** The ProseMirror schema of Quire's word-processing model. Its names and attributes are part of the change format. */
export const wordSchema: Schema<WordNodeName, WordMarkName> = new Schema({ nodes, marks });
