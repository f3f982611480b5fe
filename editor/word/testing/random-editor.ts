import { baseKeymap, deleteSelection } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { Fragment, type Mark, Slice } from 'prosemirror-model';
import { type Command, EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state';
import { CellSelection, isInTable, selectedRect, tableEditing } from 'prosemirror-tables';
import { blockIds } from '../../../client/word/block-ids.ts';
import { wholeFields } from '../../../client/word/whole-fields.ts';
import { encodeChange } from '../../../model/word/change.ts';
import { parseWordDocument, type WordDocumentJson } from '../../../model/word/document.ts';
import { FieldPairs } from '../../../model/word/fields/field-pairs.ts';
import { wordSchema } from '../../../model/word/schema.ts';
import { setLink } from '../commands/links.ts';
import { changeListLevel, kindOfList, toggleList } from '../commands/lists.ts';
import { indent, setAlignment, setParagraphStyle, toggleDirection } from '../commands/paragraph-format.ts';
import { clearFormatting, setColor, setSize, toggleRun } from '../commands/run-format.ts';
import * as tables from '../commands/tables.ts';
import { insertTable } from '../commands/tables.ts';
import { backspace, enter, insertLineBreak, insertPageBreak, insertTab } from '../commands/typing.ts';
import {
  addComment,
  changeComment,
  rangeToComment,
  removeComment,
} from '../review/comments/comment-commands.ts';
import { changesIn } from '../review/tracking/changes.ts';
import { FileRevisions } from '../review/tracking/file-revisions.ts';
import {
  type Decision,
  exemptFromTracking,
  isExemptFromTracking,
  revisionOf,
} from '../review/tracking/revision.ts';
import { settle } from '../review/tracking/settle.ts';
import { track } from '../review/tracking/track.ts';
import { untracked } from '../review/tracking/untracked.ts';
import { Styles } from '../styles/styles.ts';
import { adoptSlice, presentIds } from '../view/paste/adopt-slice.ts';

const { nodes, marks } = wordSchema;

/** 1 January 2026; a second passes with each command. */
const BEGINNING_MS = Date.UTC(2026, 0, 1);
const CLIENT = 'bench';
const AUTHORS = ['Ann', 'Ben'];
const LONG_CHARS = 400;

/**
 * Somebody who does what the editor offers, at random places and in random order: the commands of its keys, toolbar and
 * menus, on a state with its plugins and without a page. Equal numbers give equal deeds, names of new things aside.
 */
export class RandomEditor {
  state: EditorState;
  #changes: string[] = [];
  readonly #json: WordDocumentJson;
  readonly #styles: Styles;
  readonly #fileRevisions: FileRevisions;
  readonly #random: () => number;
  #tracks = false;
  #author = AUTHORS[0]!;
  #copied: Slice | null = null;
  #count = 0;

  constructor(json: WordDocumentJson, random: () => number) {
    this.#json = json;
    this.#styles = new Styles(json);
    this.#fileRevisions = new FileRevisions(json);
    this.#random = random;
    const { doc } = parseWordDocument(json);
    const fields = wholeFields(new FieldPairs(doc, json.fields ?? []));
    this.state = EditorState.create({ doc, plugins: [fields, blockIds(CLIENT), history(), tableEditing()] });
  }

  /** The changes that were made since this was asked last, as they are put into a log. */
  takeChanges(): string[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** Accepts every change. */
  acceptAll(): void {
    const { tr } = this.state;
    settle(tr, 'accept', { from: 0, to: tr.doc.content.size, fileRevisions: this.#fileRevisions });
    this.#dispatch(exemptFromTracking(tr));
  }

  /** Does something; returns its name. A command that has nothing to do here does nothing. */
  act(): string {
    this.#count += 1;
    const deeds = Object.entries(this.#deeds);
    const [name, deed] = deeds[this.#below(deeds.length)]!;
    deed();
    return this.#tracks ? `${name} (tracked)` : name;
  }

  readonly #deeds: Readonly<Record<string, () => void>> = {
    type: () => {
      this.#place();
      this.#dispatch(this.state.tr.insertText(`w${this.#count}ö & <x>`));
    },
    'type over': () => {
      this.#select();
      this.#dispatch(this.state.tr.insertText(`over${this.#count}`));
    },
    delete: () => {
      this.#select();
      this.#run(deleteSelection);
    },
    'delete far': () => {
      this.#select(LONG_CHARS);
      this.#run(deleteSelection);
    },
    'delete paragraph': () => {
      this.#selectParagraph();
      this.#run(deleteSelection);
    },
    backspace: () => {
      this.#place(0);
      this.#run(backspace(this.#styles), baseKeymap.Backspace!);
    },
    'delete forward': () => {
      this.#place(1);
      this.#run(baseKeymap.Delete!);
    },
    enter: () => {
      this.#place();
      this.#run(enter(this.#styles));
    },
    'enter over': () => {
      this.#select();
      this.#run(enter(this.#styles));
    },
    break: () => {
      this.#place();
      this.#run([insertLineBreak, insertTab, insertPageBreak(this.#styles)][this.#below(3)]!);
    },
    format: () => {
      this.#select();
      const { rx } = this.#json;
      const commands = [
        toggleRun(this.#styles, 'bold'),
        toggleRun(this.#styles, 'underline'),
        setSize(30),
        setColor(this.#styles, 'FF0000'),
        clearFormatting(rx),
      ];
      this.#run(commands[this.#below(commands.length)]!);
    },
    link: () => {
      this.#select(20);
      this.#run(setLink(this.#styles, 'https://example.org/a?b&c', null));
    },
    paragraph: () => {
      this.#select();
      const styles = this.#styles.all.filter(({ type }) => type === 'paragraph');
      const style = styles[this.#below(styles.length)];
      const commands = [
        setAlignment('center', this.#styles),
        indent(this.#styles, 1),
        toggleDirection(this.#styles),
        ...(style ? [setParagraphStyle(style.id)] : []),
      ];
      this.#run(commands[this.#below(commands.length)]!);
    },
    list: () => {
      this.#select();
      const kinds = ['bullet', 'decimal', 'outline'] as const;
      const commands = [
        toggleList(kinds[this.#below(3)]!, kindOfList(this.#json.lists), this.#styles),
        changeListLevel(1, this.#styles),
      ];
      this.#run(commands[this.#below(2)]!);
    },
    copy: () => {
      this.#select(LONG_CHARS);
      this.#copied = this.state.selection.content();
    },
    cut: () => {
      this.#select(LONG_CHARS);
      this.#copied = this.state.selection.content();
      this.#run(deleteSelection);
    },
    paste: () => {
      if (this.#below(2) === 0) this.#place();
      else this.#select();
      const slice = this.#copied ?? this.#foreign();
      this.#paste(slice, this.#copied !== null);
    },
    'paste from elsewhere': () => {
      if (this.#below(2) === 0) this.#place();
      else this.#select();
      this.#paste(this.#foreign(), false);
    },
    'move by dragging': () => {
      this.#select();
      const { tr, selection } = this.state;
      if (selection.empty) return;
      const slice = selection.content();
      tr.deleteSelection();
      const to = TextSelection.near(tr.doc.resolve(this.#below(tr.doc.content.size + 1)));
      tr.setSelection(to).replaceSelection(slice);
      this.#dispatch(tr);
    },
    'new table': () => {
      this.#place();
      this.#run(insertTable(2, 3, 600, null));
    },
    'change table': () => {
      this.#toTable();
      const commands = [
        tables.addRowAfter,
        tables.addRowBefore,
        tables.addColumnAfter,
        tables.addColumnBefore,
        tables.deleteRow,
        tables.deleteColumn,
        tables.toggleHeaderRow,
        tables.shadeCells('00FF00'),
        tables.deleteTable,
      ];
      const command = commands[this.#below(commands.length)]!;
      if (isInTable(this.state)) this.#run(command);
    },
    'merge or split cells': () => {
      this.#toTable();
      if (!isInTable(this.state)) return;
      const { table, tableStart, map } = selectedRect(this.state);
      const [one, other] = [this.#below(map.map.length), this.#below(map.map.length)];
      const { tr, doc } = this.state;
      if (table.childCount === 0) return;
      const cells = CellSelection.create(doc, tableStart + map.map[one]!, tableStart + map.map[other]!);
      this.state = this.state.apply(tr.setSelection(cells));
      this.#run(this.#below(3) === 0 ? tables.splitCell : tables.mergeCells);
    },
    'delete cells': () => {
      this.#toTable();
      if (!isInTable(this.state)) return;
      const { tableStart, map } = selectedRect(this.state);
      const [one, other] = [this.#below(map.map.length), this.#below(map.map.length)];
      const { tr, doc } = this.state;
      const cells = CellSelection.create(doc, tableStart + map.map[one]!, tableStart + map.map[other]!);
      this.state = this.state.apply(tr.setSelection(cells));
      this.#run(deleteSelection);
    },
    comment: () => {
      this.#select(60);
      const range = rangeToComment(this.state);
      const revision = revisionOf(this.#author, this.#nowMs());
      if (range) {
        this.#dispatch(
          addComment(this.state, range, { ref: `c${this.#count}x`, text: 'Say & more', revision }),
        );
      }
    },
    'change comment': () => {
      const refs: string[] = [];
      this.state.doc.descendants((node) => {
        if (node.type === nodes.comment) refs.push(node.attrs.ref);
      });
      const ref = refs[this.#below(refs.length)];
      if (ref === undefined) return;
      const change = { text: 'Other <text>', done: true };
      const tr =
        this.#below(2) === 0 ? removeComment(this.state, ref) : changeComment(this.state, ref, change);
      if (tr) this.#dispatch(tr);
    },
    'settle one': () => {
      const changes = changesIn(this.state.doc, this.#fileRevisions);
      const change = changes[this.#below(changes.length)];
      if (!change) return;
      const { from, to, kind, author, isOfFile } = change;
      this.#settle({
        from,
        to,
        concerns: (one, by, ofFile) => one === kind && by === author && ofFile === isOfFile,
      });
    },
    'settle selection': () => {
      this.#select(LONG_CHARS);
      const { from, to } = this.state.selection;
      this.#settle({ from, to });
    },
    'settle all': () => {
      if (this.#below(4) === 0) this.#settle({ from: 0, to: this.state.doc.content.size });
    },
    undo: () => this.#run(undo),
    redo: () => this.#run(redo),
    track: () => {
      this.#tracks = !this.#tracks;
      this.#author = AUTHORS[this.#below(2)]!;
    },
  };

  #settle(stretch: Parameters<typeof settle>[2]): void {
    const decision: Decision = this.#below(2) === 0 ? 'accept' : 'reject';
    const { tr } = this.state;
    settle(tr, decision, { ...stretch, fileRevisions: this.#fileRevisions });
    this.#dispatch(exemptFromTracking(tr));
  }

  #nowMs(): number {
    return BEGINNING_MS + this.#count * 1_000;
  }

  #run(...commands: readonly Command[]): void {
    for (const command of commands) if (command(this.state, (tr) => this.#dispatch(tr))) return;
  }

  /** What the page makes of a transaction: tracked, or kept apart from what is. */
  #dispatch(given: Transaction): void {
    const isPlain =
      !given.docChanged || isExemptFromTracking(given) || given.getMeta('history$') !== undefined;
    const revision = revisionOf(this.#author, this.#nowMs());
    const made = isPlain
      ? given
      : this.#tracks
        ? track(this.state, given, { revision, removesBlocks: this.#below(2) === 0 })
        : untracked(this.state, given);
    const { state, transactions } = this.state.applyTransaction(made);
    this.state = state;
    for (const { steps } of transactions)
      for (const step of steps) this.#changes.push(encodeChange(CLIENT, step));
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Places of the text of the document, as paragraphs. */
  #paragraphs(): { start: number; size: number }[] {
    const found: { start: number; size: number }[] = [];
    this.state.doc.descendants((node, position) => {
      if (node.isTextblock) found.push({ start: position + 1, size: node.content.size });
      return !node.isTextblock;
    });
    return found;
  }

  /** Puts the cursor into the text. @param part 0: at the beginning of a paragraph, 1: at its end */
  #place(part = this.#random()): void {
    const paragraphs = this.#paragraphs();
    const paragraph = paragraphs[this.#below(paragraphs.length)];
    if (!paragraph) return;
    const at = paragraph.start + Math.round(part * paragraph.size);
    this.#selectBetween(at, at);
  }

  #select(mostChars = 80): void {
    this.#place();
    const { from } = this.state.selection;
    this.#selectBetween(from, from + this.#below(mostChars));
  }

  #selectParagraph(): void {
    const paragraphs = this.#paragraphs();
    const at = this.#below(paragraphs.length);
    const paragraph = paragraphs[at];
    if (!paragraph) return;
    const end = this.#below(2) === 0 ? undefined : paragraphs[at + 1]?.start;
    this.#selectBetween(paragraph.start, end ?? paragraph.start + paragraph.size);
  }

  #selectBetween(from: number, to: number): void {
    const { doc, tr } = this.state;
    const end = Math.min(to, doc.content.size);
    const selection =
      from === end
        ? Selection.near(doc.resolve(from))
        : TextSelection.between(doc.resolve(from), doc.resolve(end));
    this.state = this.state.apply(tr.setSelection(selection));
  }

  #toTable(): void {
    const places: number[] = [];
    this.state.doc.descendants((node, position) => {
      if (node.type === nodes.table_cell) places.push(position + 2);
    });
    const at = places[this.#below(places.length)];
    if (at !== undefined) this.#selectBetween(at, at);
  }

  #paste(slice: Slice, sameDocument: boolean): void {
    const adopted = adoptSlice(slice, {
      sameDocument,
      present: presentIds(this.state.doc),
      listId: (listId) => listId,
      styleId: (styleId) => styleId,
    });
    this.#dispatch(this.state.tr.replaceSelection(adopted).setMeta('paste', true));
  }

  /** What the clipboard of another program holds, as it is read: text with formats, a list, a table. */
  #foreign(): Slice {
    const text = (content: string, ...set: Mark[]) => wordSchema.text(content, set);
    const inline = [
      text('plain '),
      text('bold', marks.bold.create({ on: true })),
      text(' link', marks.link.create({ href: 'https://example.org' })),
    ];
    const item = (content: string) =>
      nodes.paragraph.create({ listId: `new-bullet-${this.#count}`, listLevel: 0 }, text(content));
    const cell = (content: string) =>
      nodes.table_cell.create(null, nodes.paragraph.create(null, text(content)));
    const row = () => nodes.table_row.create(null, [cell('a'), cell('b')]);
    const table = nodes.table.create(null, [row(), row()]);
    const slices = [
      new Slice(Fragment.from(inline), 0, 0),
      new Slice(Fragment.from(nodes.paragraph.create(null, inline)), 1, 1),
      new Slice(Fragment.from([nodes.paragraph.create(null, inline), item('one'), item('two')]), 1, 1),
      new Slice(Fragment.from([item('three'), item('four')]), 0, 0),
      new Slice(Fragment.from([table]), 0, 0),
      new Slice(Fragment.from([nodes.paragraph.create(null, inline), table, item('five')]), 1, 1),
    ];
    return slices[this.#below(slices.length)]!;
  }
}
