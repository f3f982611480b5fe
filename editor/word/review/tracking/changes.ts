import type { Attrs, Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import { FileRevisions } from './file-revisions.ts';
import { type ChangeKind, deletionOf, insertionOf, isBesideText } from './revision.ts';

const { nodes } = wordSchema;

/** A range that one author inserted or deleted, over as many runs and paragraphs as it has. */
export interface TrackedChange {
  readonly kind: ChangeKind;
  readonly author: string;
  /** ISO 8601, of its beginning; null where the file does not say. */
  readonly date: string | null;
  readonly from: number;
  /** Behind the end of the last paragraph whose break is part of it. */
  readonly to: number;
  /** Shortened; a pilcrow stands for a break between paragraphs, U+FFFC for what is no text. */
  readonly text: string;
  /** It is no mark of the model: of properties, a move, a row, or within what the model does not hold. */
  readonly isOfFile: boolean;
}

type Open = { -readonly [Name in keyof TrackedChange]: TrackedChange[Name] };

const mostTextChars = 200;

/** The tracked changes of a document, in its order. */
export function changesIn(doc: Node, fileRevisions = new FileRevisions()): TrackedChange[] {
  const all: TrackedChange[] = [];
  const open: Record<'insertion' | 'deletion', Open | null> = { insertion: null, deletion: null };

  const add = (
    kind: 'insertion' | 'deletion',
    by: Attrs | null | undefined,
    from: number,
    to: number,
    text: string,
  ) => {
    const current = open[kind];
    if (!by) open[kind] = null;
    else if (current && current.author === by.author) {
      current.to = to;
      if (current.text.length < mostTextChars) current.text += text.slice(0, mostTextChars);
    } else {
      const started = {
        kind,
        author: by.author,
        date: by.date,
        from,
        to,
        text: text.slice(0, mostTextChars),
        isOfFile: false,
      };
      open[kind] = started;
      all.push(started);
    }
  };
  const visit = (parent: Node, start: number): void => {
    parent.forEach((node, offset) => {
      const from = start + offset;
      const to = from + node.nodeSize;
      if (node.isInline) {
        if (isBesideText(node)) return;
        const text = node.text ?? (node.type.spec.leafText?.(node) || '\ufffc');
        add('insertion', insertionOf(node)?.attrs, from, to, text);
        add('deletion', deletionOf(node)?.attrs, from, to, text);
      } else if (node.type === nodes.paragraph) {
        visit(node, from + 1);
        add('insertion', node.attrs.markInserted, to - 1, to, '¶');
        add('deletion', node.attrs.markDeleted, to - 1, to, '¶');
      } else {
        open.insertion = null;
        open.deletion = null;
        visit(node, from + 1);
        open.insertion = null;
        open.deletion = null;
      }
    });
  };
  visit(doc, 0);
  const inFile = changesInFile(doc, fileRevisions);
  return inFile.length === 0 ? all : [...all, ...inFile].sort((one, other) => one.from - other.from);
}

/** Runs of one change of properties that stand beside each other are one. */
function changesInFile(doc: Node, fileRevisions: FileRevisions): TrackedChange[] {
  const all: Open[] = [];
  let run: { readonly change: Open; readonly rx: number | null } | null = null;
  for (const { revision, node, position } of fileRevisions.within(doc, 0, doc.content.size)) {
    const { kind, author, date, rx } = revision;
    const isDocument = node.type === nodes.doc;
    // Of a paragraph it is the end that is changed: its properties are kept there.
    const from = isDocument
      ? position - 1
      : node.type === nodes.paragraph
        ? position + node.nodeSize - 1
        : position;
    const to = isDocument || node.type === nodes.paragraph ? from + 1 : position + node.nodeSize;
    const text = isDocument ? '' : textOf(node);
    if (run && rx !== null && run.rx === rx && run.change.to === from) {
      run.change.to = to;
      if (run.change.text.length < mostTextChars) run.change.text += text.slice(0, mostTextChars);
      continue;
    }
    const change: Open = { kind, author, date, from, to, text: text.slice(0, mostTextChars), isOfFile: true };
    run = { change, rx };
    all.push(change);
  }
  return all;
}

function textOf(node: Node): string {
  if (node.isInline) return node.text ?? (node.attrs.label || node.type.spec.leafText?.(node) || '\ufffc');
  if (node.type === nodes.paragraph) return `${node.textContent}¶`;
  return node.attrs.label || node.textContent || '\ufffc';
}

/** Where a change of an earlier list is now: the same change, and of several the one with the same number. */
export function findAgain(
  now: readonly TrackedChange[],
  before: readonly TrackedChange[],
  wanted: TrackedChange,
): TrackedChange | undefined {
  const isSame = (one: TrackedChange) =>
    one.kind === wanted.kind &&
    one.author === wanted.author &&
    one.date === wanted.date &&
    one.text === wanted.text;
  const number = before.filter(isSame).indexOf(wanted);
  const same = now.filter(isSame);
  return same[Math.min(number, same.length - 1)];
}
