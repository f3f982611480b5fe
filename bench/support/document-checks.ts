import type { Node } from 'prosemirror-model';
import { DocxSource } from '../../converter/engines/ooxml/docx/docx-source.ts';
import { RunPropertyWriter } from '../../converter/engines/ooxml/docx/run-properties.ts';
import { isWrapping } from '../../converter/engines/ooxml/docx/source-map.ts';
import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import { fieldsOf } from '../../test/support/field-reader.ts';
import { type MarkupFaults, markupFaults } from './markup-checks.ts';

/** A document and the file that it was written as. */
export interface WrittenDocument {
  readonly doc: Node;
  /** Run properties that the marks of `doc` point to. */
  readonly rx: readonly string[];
  /** Text of the main part. */
  readonly xml: string;
  /** Texts of the other parts that were written, by name. */
  readonly otherParts: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** Whether a control of the file before shows its placeholder no more: somebody typed in it. */
  readonly hasTypedOver: boolean;
}

/** Something that has to hold of every document that is written. */
export interface DocumentCheck {
  readonly name: string;
  /** Whether a file that is written anew has to be right where the one before was not. */
  readonly isMended: boolean;
  /** Whether a fault that the file has once is one when it is there twice. */
  readonly isCounted?: boolean;
  /** What does not hold, each in a few words; none when all is well. */
  faults(written: WrittenDocument): readonly string[];
}

/** Characters of which a file has elements, and white space, which it may leave out. */
const NOT_COMPARED = /[\s\u00ad\u2011]/g;

const invalidXml: DocumentCheck = {
  name: 'invalid XML',
  isMended: false,
  faults({ xml, otherParts }) {
    return [xml, ...otherParts.values()].flatMap((text) => {
      try {
        new XmlDocument(text);
        return [];
      } catch (error) {
        return [String(error)];
      }
    });
  },
};

const unbalancedFields: DocumentCheck = {
  name: 'fields unbalanced',
  isMended: true,
  faults: ({ xml }) => (fieldsOf(xml).isBalanced ? [] : ['a half of a field, or an instruction of none']),
};

/** Text of the model that programs do not show which know fields: struck text is none. */
const hiddenText: DocumentCheck = {
  name: 'text hidden',
  isMended: false,
  faults({ doc, xml }) {
    const shown = fieldsOf(xml).paragraphs.join('').replace(NOT_COMPARED, '');
    const hidden: string[] = [];
    let from = 0;
    doc.descendants((node) => {
      if (!node.isText || node.marks.some(({ type }) => type.name === 'del')) return;
      const text = node.text!.replace(NOT_COMPARED, '');
      const at = shown.indexOf(text, from);
      if (at < 0) hidden.push(node.text!.slice(0, 60));
      else from = at + text.length;
    });
    return hidden;
  },
};

const looked = new WeakMap<WrittenDocument, MarkupFaults>();

function markup(name: string, of: keyof MarkupFaults): DocumentCheck {
  return {
    name,
    isMended: false,
    faults(written) {
      let faults = looked.get(written);
      if (!faults) {
        faults = markupFaults(new XmlDocument(written.xml));
        looked.set(written, faults);
      }
      return faults[of];
    },
  };
}

/** The file is opened again, and has to be the document that was written, as far as a file can be. */
const otherWhenReopened: DocumentCheck = {
  name: 'another document when reopened',
  isMended: false,
  faults({ doc, rx, bytes, hasTypedOver }) {
    if (hasOpened(doc)) return [];
    const again = DocxSource.open(bytes);
    const fault = otherBlock(doc, rx, again);
    // What was typed, or put, in the place of a placeholder loses its style in the file (FD46).
    const style = hasTypedOver ? again.styleId('character', 'placeholder text') : undefined;
    const isOfPlaceholder =
      fault !== null && style !== undefined && otherBlock(doc, rx, again, style) === null;
    return fault === null || isOfPlaceholder ? [] : [fault];
  },
};

/** The first block in which two documents differ. @param style a style of text that is left out */
function otherBlock(doc: Node, rx: readonly string[], again: DocxSource, style?: string): string | null {
  const wanted = linesOf(doc, rx, style);
  const found = linesOf(again.doc, again.runs.extras, style);
  const isOther = (line: string | null, index: number) =>
    line !== null && found[index] !== null && line !== found[index];
  const at = wanted.findIndex(isOther);
  if (at < 0 && wanted.length === found.length) return null;
  const where = at < 0 ? wanted.length : at;
  return `block ${where}: ${difference(wanted[where] ?? '(none)', found[where] ?? '(none)')}`;
}

/** Whether there is something in it that the model did not hold until changes within were settled: it is text when it is read again. */
function hasOpened(doc: Node): boolean {
  let found = false;
  doc.descendants((node) => {
    const isOpaque = node.type.name === 'opaque_inline' || node.type.name === 'opaque_block';
    const isSettled = node.attrs.settled || node.marks.some(({ type }) => type.name === 'settled');
    found ||= isOpaque && Boolean(isSettled);
  });
  return found;
}

function difference(wanted: string, found: string): string {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80);
  return `${around(wanted)} ⇒ ${around(found)}`;
}

/**
 * The paragraphs of a document, a line each: what they are in, their properties, and their text with its marks. Without empty
 * ones of no properties: the writer puts them between tables, and what holds nothing is no more. Null for one that may be another
 * when it is read again.
 */
function linesOf(doc: Node, rx: readonly string[], style?: string): (string | null)[] {
  const writer = new RunPropertyWriter(rx);
  const named = style === undefined ? '' : `<w:rStyle w:val="${style}"/>`;
  const properties = (node: Node) =>
    writer.write(node.marks).replace(named, '').replace('<w:rPr></w:rPr>', '');
  const lines: (string | null)[] = [];
  const visit = (node: Node, path: string): void => {
    if (node.isTextblock) {
      const isOpen = node.children.some(
        ({ type, attrs }) => type.name === 'opaque_inline' && OPENED.test(attrs.kind),
      );
      const line = `${propertiesOf(node)} ${inlineOf(node, properties)}`;
      if (isOpen || line !== EMPTY_LINE) lines.push(isOpen ? null : `${path} ${line}`);
      return;
    }
    node.forEach((child) => {
      visit(child, child.type.name === 'block_wrap' ? path : path + child.type.name[0]);
    });
  };
  visit(doc, '');
  return lines;
}

/** What is read as text or as a whole field when what was around it, or between its parts, has gone. */
const OPENED =
  /^(?:field|w:(?:fldChar|instrText|delInstrText|smartTag|sdt|customXml|hyperlink|ins|del|moveFrom|moveTo))$/;

const EMPTY_LINE = '[] ';

function propertiesOf({ attrs }: Node): string {
  const { id: _id, origin: _origin, settled: _settled, listId, listLevel, ...others } = attrs;
  const said = Object.entries(others).filter(([, value]) => value !== null);
  const list = typeof listId === 'string' ? `list ${listLevel ?? 0}` : '';
  return JSON.stringify(said) + list;
}

function inlineOf(paragraph: Node, properties: (node: Node) => string): string {
  let text = '';
  let marksBefore = '';
  paragraph.forEach((node) => {
    const shown = node.text ?? SHOWN[node.type.name];
    if (shown === undefined) return;
    const around = node.marks.filter(isWrapping).map(({ type, attrs: { key: _key, id: _id, ...attrs } }) => {
      return type.name + JSON.stringify(attrs);
    });
    const marks = around.join(' ') + properties(node).replace(NUMBER_OF_CHANGE, '');
    if (marks !== marksBefore) text += `‹${marks}›`;
    marksBefore = marks;
    text += shown;
  });
  return text;
}

/** Tracked changes of copies have numbers of their own. */
const NUMBER_OF_CHANGE = / w:id="[^"]*"/g;

const SHOWN: Readonly<Record<string, string>> = { line_break: '⏎', tab: '⇥', image: '▣' };

/** To be extended: each is asked about every document as it was opened and after every change. */
export const documentChecks: readonly DocumentCheck[] = [
  invalidXml,
  unbalancedFields,
  hiddenText,
  markup('ranges unpaired', 'unpaired'),
  markup('ids doubled', 'doubledIds'),
  { ...markup('elements misplaced', 'misplaced'), isCounted: false },
  otherWhenReopened,
];

/** What a document must not have of which every tracked change was accepted. */
export const acceptedChecks: readonly DocumentCheck[] = [
  { ...markup('tracked after accepting all', 'tracked'), isMended: true },
];
