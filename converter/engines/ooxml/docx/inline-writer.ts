import type { Fragment, Mark, Node } from 'prosemirror-model';
import { isInstruction } from '../../../../model/word/fields/field-pairs.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { attributesXml } from '../package/xml-text.ts';
import { writePicture } from './picture-writer.ts';
import { textXml } from './run-text.ts';
import { type InlineItem, isWrapping, type Wrapper } from './source-map.ts';
import { asComplexField, settledXml, standsOutsideOfRevisions, withRevisionsInside } from './tracked-xml.ts';
import { reopened, wrapperOf } from './wrapper-writer.ts';
import type { WriteContext } from './write-context.ts';

/** A note, a comment and the like have one reference each; the copy of one would be a second. */
const SINGLE = new Set([
  'w:footnoteReference',
  'w:endnoteReference',
  'w:commentReference',
  'w:annotationRef',
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
    if (from >= to) return;
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
    while (common < first.wrappers.length && this.#open[common]?.mark.eq(first.wrappers[common]!.mark))
      common++;
    this.#closeDownTo(common);
    for (const wrapper of first.wrappers.slice(common)) this.#xml += reopened(this.#context, wrapper).openXml;
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
      case 'comment':
        this.#writeComment(node);
        break;
      default:
        this.#writeSource(node);
    }
  }

  /** A reference has a run of its own, as in files of Word. */
  #writeComment(node: Node): void {
    const { comments, source } = this.#context;
    const reference = `<w:commentReference${attributesXml({ 'w:id': comments.numberOf(node.attrs.ref) })}/>`;
    this.#endRun();
    this.#inRun(source.comments.nodeOf(node.attrs.ref) ? node : this.#asReference(node), reference);
    this.#endRun();
  }

  /** A new comment's node with the style that Word gives references to comments. */
  #asReference(node: Node): Node {
    const { character_style: characterStyle } = wordSchema.marks;
    const id = this.#context.commentStyles.reference;
    if (id === undefined || characterStyle.isInSet(node.marks)) return node;
    return node.mark(characterStyle.create({ id }).addToSet(node.marks));
  }

  /** Opaque content and anchors are the file's XML. One that the file does not have cannot be written. */
  #writeSource(node: Node): void {
    const { source } = this.#context;
    const record = source.map.inline(node);
    if (!record) {
      this.#writeNewAnchor(node);
      return;
    }
    const opened = source.xml.text.slice(record.start, record.end);
    const decision = node.marks.find(({ type }) => type.name === 'settled')?.attrs.decision;
    const raw = decision ? settledXml(opened, decision) : opened;
    if (!this.#context.claim(node.attrs.id)) {
      const single = node.type.name === 'anchor' || SINGLE.has(record.node.attrs.kind);
      if (single || !this.#context.mayDuplicate(raw.length)) return;
    }
    const renamed = () => asDeleted(raw, isDeleted(record.node), isDeleted(node));
    if (record.inRun) {
      this.#writeRunContent(node, isInstruction(record.node) ? renamed() : raw, record.node.attrs.kind);
      return;
    }
    if (standsOutsideOfRevisions(raw) && !sameMarks(revisionsOf(node), revisionsOf(record.node))) {
      this.#writeTracked(node, renamed());
      return;
    }
    this.#wrapAs(node.marks);
    this.#endRun();
    this.#xml += renamed();
  }

  /**
   * Characters of fields have runs of their own, as in files of Word: text that stands in the run that begins a field, before
   * its character, is read as a part of the field.
   */
  #writeRunContent(node: Node, xml: string, kind: string): void {
    const isFieldCharacter = kind === 'w:fldChar';
    if (isFieldCharacter) this.#endRun();
    this.#inRun(node, xml);
    if (isFieldCharacter) this.#endRun();
  }

  /** An element that no tracked change may hold: in another form, or with the tracked changes in it. */
  #writeTracked(node: Node, raw: string): void {
    const revisions = revisionsOf(node);
    const field = revisions.length === 0 ? raw : asComplexField(raw, isDeleted(node));
    this.#wrapAs(field === undefined ? node.marks.filter((mark) => !revisions.includes(mark)) : node.marks);
    this.#endRun();
    if (field !== undefined) {
      this.#xml += field;
      return;
    }
    const around = revisions.flatMap((mark) => wrapperOf(this.#context, mark) ?? []);
    const openXml = around.map((wrapper) => wrapper.openXml).join('');
    const closeXml = around.map((wrapper) => wrapper.closeXml).reverse();
    this.#xml += withRevisionsInside(raw, openXml, closeXml.join(''));
  }

  /** An end of a comment's range. Other anchors are the file's alone. */
  #writeNewAnchor({ type, attrs, marks }: Node): void {
    const isRange = type.name === 'anchor' && /^commentRange(?:Start|End)$/.test(attrs.kind);
    const number = isRange ? this.#context.comments.numberOf(attrs.ref) : undefined;
    if (number === undefined) return;
    this.#wrapAs(marks);
    this.#endRun();
    this.#xml += `<w:${attrs.kind}${attributesXml({ 'w:id': number })}/>`;
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

const revisionsOf = ({ marks }: Node): readonly Mark[] =>
  marks.filter(({ type }) => type.name === 'ins' || type.name === 'del');

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

function sameMarks(one: readonly Mark[], other: readonly Mark[]): boolean {
  return one.length === other.length && one.every((mark, index) => mark.eq(other[index]!));
}
