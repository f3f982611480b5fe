import type { Fragment, Mark, Node } from 'prosemirror-model';
import { attributesXml, escapeText } from '../xml-text.ts';
import { writePicture } from './picture-writer.ts';
import type { InlineItem, Wrapper } from './source-map.ts';
import { isWrapping, wrapperOf } from './wrapper-writer.ts';
import type { WriteContext } from './write-context.ts';

/** A note, a comment and the like have one reference each; the copy of one would be a second. */
const SINGLE = new Set([
  'w:footnoteReference',
  'w:endnoteReference',
  'w:commentReference',
  'w:annotationRef',
]);

const SPECIAL_TEXT: ReadonlyMap<string, string> = new Map([
  ['\u2011', '<w:noBreakHyphen/>'],
  ['\u00ad', '<w:softHyphen/>'],
]);

/** Writes the content of a paragraph: stretches of the file's XML, and nodes as runs, in the elements around them. */
export class InlineWriter {
  readonly #context: WriteContext;
  readonly #open: Wrapper[] = [];
  #runMarks: readonly Mark[] | undefined;
  #xml = '';

  constructor(context: WriteContext) {
    this.#context = context;
  }

  /** Continues after XML of the file that leaves these wrappers open. */
  startAfter(rawXml: string, open: readonly Wrapper[]): void {
    this.#xml = rawXml;
    this.#open.push(...open);
  }

  writeNodes(content: Fragment, from: number, to: number): void {
    let position = 0;
    content.forEach((node) => {
      const start = position;
      position += node.nodeSize;
      if (start >= to || position <= from) return;
      const cut = node.isText
        ? node.cut(Math.max(0, from - start), Math.min(node.nodeSize, to - start))
        : node;
      this.#writeNode(cut);
    });
  }

  /** Ends with XML of the file that begins with an item and closes the item's wrappers itself. */
  finishWith(rawXml: string, first: InlineItem): string {
    this.#endRun();
    let common = 0;
    while (common < first.wrappers.length && this.#open[common] === first.wrappers[common]) common++;
    this.#closeDownTo(common);
    for (const wrapper of first.wrappers.slice(common)) this.#xml += wrapper.openXml;
    return this.#xml + rawXml;
  }

  finish(): string {
    this.#endRun();
    this.#closeDownTo(0);
    return this.#xml;
  }

  #writeNode(node: Node): void {
    const deleted = isDeleted(node);
    switch (node.type.name) {
      case 'text':
        this.#inRun(node, textXml(node.text!, deleted));
        break;
      case 'tab':
        this.#inRun(node, '<w:tab/>');
        break;
      case 'line_break':
        this.#inRun(node, `<w:br${attributesXml({ 'w:type': node.attrs.type })}/>`);
        break;
      case 'image':
        this.#inRun(node, writePicture(this.#context, node));
        break;
      default:
        this.#writeSource(node);
    }
  }

  /** Opaque content and anchors are the file's XML. One that the file does not have cannot be written. */
  #writeSource(node: Node): void {
    const { source } = this.#context;
    const record = source.map.inline(node);
    if (!record) return;
    const raw = source.xml.text.slice(record.start, record.end);
    if (!this.#context.claim(node.attrs.id)) {
      const single = node.type.name === 'anchor' || SINGLE.has(record.node.attrs.kind);
      if (single || !this.#context.mayDuplicate(raw.length)) return;
    }
    if (record.inRun) {
      this.#inRun(node, raw);
      return;
    }
    this.#wrapAs(node.marks);
    this.#endRun();
    this.#xml += asDeleted(raw, isDeleted(record.node), isDeleted(node));
  }

  #inRun(node: Node, xml: string): void {
    if (xml === '') return;
    this.#wrapAs(node.marks);
    const marks = node.marks.filter((mark) => !isWrapping(mark));
    if (!this.#runMarks || !sameMarks(this.#runMarks, marks)) {
      this.#endRun();
      this.#runMarks = marks;
      this.#xml += `<w:r>${this.#context.runProperties.write(marks)}`;
    }
    this.#xml += xml;
  }

  #wrapAs(marks: readonly Mark[]): void {
    const wanted = marks.filter(isWrapping);
    let common = 0;
    while (common < wanted.length && this.#open[common]?.mark.eq(wanted[common]!)) common++;
    if (common === wanted.length && common === this.#open.length) return;
    this.#endRun();
    this.#closeDownTo(common);
    for (const mark of wanted.slice(common)) {
      const wrapper = wrapperOf(this.#context, mark) ?? { mark, openXml: '', closeXml: '' };
      this.#xml += wrapper.openXml;
      this.#open.push(wrapper);
    }
  }

  #endRun(): void {
    if (this.#runMarks) this.#xml += '</w:r>';
    this.#runMarks = undefined;
  }

  #closeDownTo(count: number): void {
    while (this.#open.length > count) this.#xml += this.#open.pop()!.closeXml;
  }
}

function isDeleted(node: Node): boolean {
  return node.marks.some(({ type }) => type.name === 'del');
}

/** Runs of the file that come into or out of a tracked deletion: their text has other names there (17.3.3.7). */
function asDeleted(rawXml: string, before: boolean, after: boolean): string {
  if (before === after || rawXml.includes('txbxContent')) return rawXml;
  if (!after)
    return rawXml.replace(/(<\/?w:)delText\b/g, '$1t').replace(/(<\/?w:)delInstrText\b/g, '$1instrText');
  return rawXml
    .replace(/(<\/?w:)t(?=[\s>/])/g, '$1delText')
    .replace(/(<\/?w:)instrText\b/g, '$1delInstrText');
}

function textXml(text: string, deleted: boolean): string {
  const element = deleted ? 'w:delText' : 'w:t';
  let xml = '';
  for (const part of text.split(/([\u2011\u00ad])/)) {
    const special = SPECIAL_TEXT.get(part);
    if (special) xml += special;
    else if (part !== '') {
      const space = /^\s|\s$|\s\s|[\t\n]/.test(part) ? ' xml:space="preserve"' : '';
      xml += `<${element}${space}>${escapeText(part)}</${element}>`;
    }
  }
  return xml;
}

function sameMarks(one: readonly Mark[], other: readonly Mark[]): boolean {
  return one.length === other.length && one.every((mark, index) => mark.eq(other[index]!));
}
