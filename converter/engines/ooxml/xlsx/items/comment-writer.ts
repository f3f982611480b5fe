import type { ItemOf } from '../../../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../../../model/cell/workbook.ts';
import { cellAddress } from '../../../../../model/cell-address.ts';
import { relativeTarget, resolveTarget } from '../../package/relationships.ts';
import type { TextEdit } from '../../package/text-edits.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, escapeText, withAttributes } from '../../package/xml-text.ts';
import { encodeCellText } from '../cell-text.ts';
import type { PackageChanges } from '../package-changes.ts';
import type { PartEdits } from '../part-edits.ts';
import type { SheetSource } from '../sheet-source.ts';
import { type SheetVocabulary, THREADS_2018 } from '../vocabulary.ts';
import { THREADED_COMMENT } from './comment-items.ts';
import { guidOf } from './guid.ts';
import { editOf, isSame } from './item-list.ts';
import { type Cell, changedNoteShapes, EMPTY_NOTE_SHAPES } from './note-shapes.ts';
import { startTag } from './simple-items.ts';

type Comment = ItemOf<'comment'>;

const NOTES_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml';
const THREADS_TYPE = 'application/vnd.ms-excel.threadedcomments+xml';
const VML_TYPE = 'application/vnd.openxmlformats-officedocument.vmlDrawing';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A moment as threads have it: without a zone, which is that of Greenwich. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?=Z?$)/;

/** What writing comments needs of the workbook. */
export interface CommentContext {
  readonly changes: PackageChanges;
  readonly vocabulary: SheetVocabulary;
  /** The id of a person, who is put on the workbook's list when not there. */
  readonly personOf: (name: string) => string;
  readonly read: (partName: string) => Uint8Array | undefined;
}

/** Writes the comments of a sheet: notes, threads, the notes beside threads, and the boxes of both. */
export function writeComments(
  source: SheetSource,
  after: Sheet,
  edits: PartEdits,
  context: CommentContext,
): void {
  const before = itemsOf(source.sheet, 'comment');
  const items = itemsOf(after, 'comment');
  if (before !== items) new CommentWriter(source, items, context).write(edits);
}

class CommentWriter {
  readonly #source: SheetSource;
  readonly #after: ReadonlyMap<string, Comment>;
  readonly #context: CommentContext;
  readonly #added: Cell[] = [];
  /** By the reference of the cell where it was. */
  readonly #moved = new Map<string, Cell | null>();

  constructor(source: SheetSource, after: ReadonlyMap<string, Comment>, context: CommentContext) {
    this.#source = source;
    this.#after = after;
    this.#context = context;
  }

  write(edits: PartEdits): void {
    this.#writeThreads();
    this.#writeNotes();
    this.#writeShapes(edits);
  }

  /** The first of the thread that a comment is in; undefined for a note. */
  #headOf(id: string): Comment | undefined {
    const item = this.#after.get(id);
    return item?.parent === undefined ? item : (this.#after.get(item.parent) ?? item);
  }

  #threadId(id: string): string {
    return this.#source.comments.elements.has(id) ? id : guidOf(`${this.#source.sheet.id} ${id}`);
  }

  #writeThreads(): void {
    const { threads, items: before, elements } = this.#source.comments;
    const { changes, personOf } = this.#context;
    const xmlOf = (id: string, item: Comment, raw?: string): string => {
      const [row, column] = this.#headOf(id)!.cell;
      const isAuthorSame = raw !== undefined && before.get(id)?.author === item.author;
      const known: Record<string, string | number | null> = {
        ref: cellAddress(row, column),
        ...(!isAuthorSame && { personId: personOf(item.author) }),
        dT: DATE.exec(item.date ?? '')?.[0] ?? null,
        id: this.#threadId(id),
        parentId: item.parent === undefined ? null : this.#threadId(item.parent),
        done: item.done
          ? 1
          : item.parent === undefined && raw !== undefined && /\sdone=/.test(raw)
            ? 0
            : null,
      };
      if (raw !== undefined && before.get(id)?.text === item.text) return withAttributes(raw, known);
      const given = raw === undefined ? '<tc:threadedComment>' : startTag(raw).replace(/\s*\/>$/, '>');
      const tag = withAttributes(given, known);
      return `${tag}<tc:text>${escapeText(item.text)}</tc:text></tc:threadedComment>`;
    };
    const isThread = ([, { isNote }]: [string, Comment]) => !isNote;
    const added = [...this.#after].filter(isThread).filter(([id]) => !elements.has(id));
    if (!threads) {
      if (added.length === 0) return;
      const text = `${DECLARATION}<tc:ThreadedComments xmlns:tc="${THREADS_2018}">${added.map(([id, item]) => xmlOf(id, item)).join('')}</tc:ThreadedComments>`;
      // Programs want its elements without a prefix.
      const plain = text.replaceAll('<tc:', '<').replaceAll('</tc:', '</').replace('xmlns:tc', 'xmlns');
      const pattern = this.#source.partName.replace(/[^/]*\/[^/]*$/, 'threadedComments/threadedComment#.xml');
      const partName = changes.add(pattern, THREADS_TYPE, Buffer.from(plain));
      this.#relate(THREADED_COMMENT, partName);
      return;
    }
    const { xml, partName } = threads;
    const inner: TextEdit[] = [];
    for (const element of xml.root.children) {
      const id = xml.attribute(element, 'id');
      const was = id === undefined ? undefined : before.get(id);
      if (id === undefined || !was || elements.get(id) !== element) continue;
      const item = this.#after.get(id);
      const head = item && this.#headOf(id);
      const isOther = !item || !isSame(was, item) || !isSame(head?.cell, was.cell);
      if (isOther) inner.push(editOf(element, item ? xmlOf(id, item, xml.raw(element)) : ''));
    }
    const appended = added.map(([id, item]) => xmlOf(id, item)).join('');
    if (inner.length > 0 || appended !== '')
      changes.put(partName, xml.encode(xml.edited({ edits: inner, appended })));
  }

  #writeNotes(): void {
    const { notes, items: before, elements, shadows } = this.#source.comments;
    const { changes, vocabulary } = this.#context;
    const xml = notes?.xml ?? new XmlDocument(emptyNotes(vocabulary.main));
    const authors = (xml.child(xml.root, 'authors')?.children ?? []).map((author) => xml.content(author));
    const known = authors.length;
    const authorId = (name: string) => {
      if (!authors.includes(name)) authors.push(name);
      return authors.indexOf(name);
    };
    const inner: TextEdit[] = [];
    const move = (element: XmlElement, from: readonly number[], to: readonly number[] | undefined) => {
      if (to && isSame(from, to)) return;
      this.#moved.set(`${from}`, to ? [to[0]!, to[1]!] : null);
      const ref = to && cellAddress(to[0]!, to[1]!);
      inner.push(editOf(element, ref === undefined ? '' : withAttributes(xml.raw(element), { ref })));
    };
    const fresh: string[] = [];
    const noteXml = (cell: readonly number[], author: string, text: string) =>
      `<comment${attributesXml({ ref: cellAddress(cell[0]!, cell[1]!), authorId: authorId(author) })}><text><r><t xml:space="preserve">${escapeText(encodeCellText(text))}</t></r></text></comment>`;
    for (const [id, was] of before) {
      const element = was.isNote ? elements.get(id) : shadows.get(id);
      if (!element || (!was.isNote && was.parent !== undefined)) continue;
      const item = this.#after.get(id);
      const isRewritten = was.isNote && item && (item.text !== was.text || item.author !== was.author);
      const isAnswerNow = !was.isNote && item?.parent !== undefined;
      if (!isRewritten) move(element, was.cell, isAnswerNow ? undefined : item?.cell);
      else {
        if (!isSame(was.cell, item.cell)) this.#moved.set(`${was.cell}`, [item.cell[0], item.cell[1]]);
        inner.push(editOf(element, noteXml(item.cell, item.author, item.text)));
      }
    }
    for (const [id, item] of this.#after) {
      if (before.has(id) || (item.parent !== undefined && !item.isNote)) continue;
      this.#added.push([item.cell[0], item.cell[1]]);
      if (item.isNote) fresh.push(noteXml(item.cell, item.author, item.text));
      else
        fresh.push(
          noteXml(item.cell, `tc=${this.#threadId(id)}`, `[Threaded comment]\n\nComment:\n    ${item.text}`),
        );
    }
    if (inner.length === 0 && fresh.length === 0) return;
    const list = xml.child(xml.root, 'commentList');
    const newAuthors = authors.slice(known).map((author) => `<author>${escapeText(author)}</author>`);
    const holder = xml.child(xml.root, 'authors');
    if (holder && newAuthors.length > 0) inner.push(appendTo(xml, holder, newAuthors.join('')));
    if (list && fresh.length > 0) inner.push(appendTo(xml, list, fresh.join('')));
    const bytes = xml.encode(xml.edited({ edits: inner, appended: '' }));
    if (notes) changes.put(notes.partName, bytes);
    else {
      const pattern = this.#source.partName.replace(/[^/]*\/[^/]*$/, 'comments#.xml');
      this.#relate(`${vocabulary.relationships}/comments`, changes.add(pattern, NOTES_TYPE, bytes));
    }
  }

  #writeShapes(edits: PartEdits): void {
    if (this.#added.length === 0 && this.#moved.size === 0) return;
    const { changes, vocabulary, read } = this.#context;
    const { relationships, partName, xml } = this.#source;
    const { shell } = xml;
    const id = shell.attribute(shell.child(shell.root, 'legacyDrawing'), 'r:id');
    const found = id === undefined ? undefined : relationships.get(id);
    const part = found && resolveTarget(partName, found.target);
    const bytes = part === undefined ? undefined : read(part);
    const text = bytes ? Buffer.from(bytes).toString('utf8') : EMPTY_NOTE_SHAPES;
    const changed = changedNoteShapes(text, {
      moved: (cell) => this.#moved.get(`${cell}`),
      added: this.#added,
    });
    if (part !== undefined) {
      if (changed !== text) changes.put(part, Buffer.from(changed));
      return;
    }
    const pattern = partName.replace(/[^/]*\/[^/]*$/, 'drawings/vmlDrawing#.vml');
    const made = changes.add(pattern, VML_TYPE, Buffer.from(changed));
    const link = this.#relate(`${vocabulary.relationships}/vmlDrawing`, made);
    edits.setRootAttributes({ 'xmlns:r': vocabulary.relationships });
    edits.setChild('legacyDrawing', `<legacyDrawing r:id="${link}"/>`);
  }

  #relate(type: string, partName: string): string {
    const { partName: from, relationships } = this.#source;
    const links = this.#context.changes.relationshipsOf(from, relationships);
    return links.require(type, relativeTarget(from, partName), false);
  }
}

const emptyNotes = (main: string): string =>
  `${DECLARATION}<comments xmlns="${main}"><authors></authors><commentList></commentList></comments>`;

function appendTo(
  xml: XmlDocument,
  { start, closeStart, end, selfClosing, name }: XmlElement,
  text: string,
): TextEdit {
  if (!selfClosing) return { start: closeStart, end: closeStart, text };
  return { start, end, text: `${xml.text.slice(start, end).replace(/\s*\/>$/, '>')}${text}</${name}>` };
}
