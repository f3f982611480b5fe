import type { Mark, Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import type { WordRevision } from '../../../../model/word/document.ts';
import * as values from '../../../../model/word/values.ts';
import { XmlDocument } from '../package/xml-document.ts';
import { unescapeXml } from '../package/xml-text.ts';
import type { DocxSource } from './docx-source.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import { splitRunProperties } from './run-properties.ts';
import type { ParagraphRecord } from './source-map.ts';
import { settledXml } from './tracked-xml.ts';

type Kind = WordRevision['kind'];

/** An element of a tracked change (17.13.5), and its attributes. */
const TRACKED =
  /<w:(ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|\w+Change)\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/g;

const KIND_OF_OPAQUE: Readonly<Record<string, Kind>> = {
  'w:ins': 'insertion',
  'w:del': 'deletion',
  'w:moveFrom': 'moveFrom',
  'w:moveTo': 'moveTo',
};
const KIND_OF_PLACE: Readonly<Record<string, Kind>> = {
  ...KIND_OF_OPAQUE,
  'w:cellIns': 'insertion',
  'w:cellDel': 'deletion',
};

/** What is tracked in XML, in order: names of elements, and who made the first change. */
interface Tracked {
  readonly names: readonly string[];
  readonly author: string;
  readonly date: string | null;
}

function trackedIn(xml: string): Tracked | null {
  const found = [...xml.matchAll(TRACKED)];
  const [first] = found;
  if (!first) return null;
  const attribute = (name: string) => {
    const [, value] = new RegExp(`\\bw:${name}\\s*=\\s*["']([^"']*)["']`).exec(first[2]!) ?? [];
    return value === undefined ? undefined : unescapeXml(value);
  };
  const [author, date] = [attribute('author'), attribute('date')];
  return {
    names: found.map(([, name]) => `w:${name}`),
    author: accepts(values.name, author) ? author! : '',
    date: accepts(values.dateTime, date) ? date! : null,
  };
}

/** The tracked changes of a file that its model has no marks for. */
export function readRevisions(source: DocxSource): WordRevision[] {
  const found: WordRevision[] = [];
  for (const [rx, extra] of source.runs.extras.entries()) {
    const tracked = trackedIn(extra);
    if (tracked) found.push(revision('format', tracked, { rx, before: marksBefore(extra) }));
  }
  source.doc.descendants((node) => {
    const one = revisionOf(source, node);
    if (one) found.push(one);
  });
  const last = source.body.children.find(({ name }) => name === 'w:sectPr');
  const tracked = last && trackedIn(source.xml.raw(last));
  if (tracked) found.push(revision('format', tracked, {}));
  return found;
}

/** How many tracked changes the parts beside the main one have. */
export function countRevisionsElsewhere({ package: opened, comments, shownParts }: DocxSource): number {
  const names = new Set([...shownParts.values()].map(({ partName }) => partName));
  const texts = [comments.xml?.text, ...[...names].map((name) => opened.readableXml(name)?.text)];
  return texts.reduce((sum, text = '') => sum + [...text.matchAll(TRACKED)].length, 0);
}

function revision(
  kind: Kind,
  { author, date }: Tracked,
  { node = null, rx = null, before = null }: Partial<WordRevision>,
): WordRevision {
  return { kind, node, rx, author, date, before };
}

function revisionOf(source: DocxSource, node: Node): WordRevision | null {
  const { map, xml } = source;
  const { id } = node.attrs;
  const raw = (part: { readonly start: number; readonly end: number } | undefined) =>
    part ? xml.text.slice(part.start, part.end) : '';
  switch (node.type.name) {
    case 'opaque_inline':
    case 'opaque_block': {
      const record = map.inline(node) ?? map.block(id, 'opaque');
      const tracked = trackedIn(raw(record));
      return tracked && revision(KIND_OF_OPAQUE[node.attrs.kind] ?? 'object', tracked, { node: id });
    }
    case 'paragraph': {
      const record = map.block(id, 'paragraph');
      return record ? ofParagraph(source, record) : null;
    }
    case 'table': {
      const record = map.block(id, 'table');
      const tracked = trackedIn(raw(record?.properties) + raw(record?.grid));
      return tracked && revision('format', tracked, { node: id });
    }
    case 'table_row': {
      const record = map.block(id, 'row');
      const head = record && { start: record.element.openEnd, end: record.cells[0]!.element.start };
      return ofPlace(trackedIn(raw(head)), id);
    }
    case 'table_cell': {
      const record = map.block(id, 'cell');
      return ofPlace(trackedIn(raw(record?.properties) + continuations(source, id)), id);
    }
    default:
      return null;
  }
}

/** The lower parts of a cell that spans rows: the model has nothing of what is in them. */
function continuations({ map, xml }: DocxSource, id: string): string {
  return map
    .continuationsOf(id)
    .map((element) => xml.raw(element))
    .join('');
}

function ofPlace(tracked: Tracked | null, node: string): WordRevision | null {
  if (!tracked) return null;
  const kind = tracked.names.map((name) => KIND_OF_PLACE[name]).find((one) => one !== undefined);
  return revision(kind ?? 'format', tracked, { node });
}

function ofParagraph({ xml }: DocxSource, record: ParagraphRecord): WordRevision | null {
  const own = record.properties ? xml.raw(record.properties) : '';
  // Of the break, what is inserted and deleted are attributes of the paragraph.
  const mark = xml.child(record.properties, 'w:rPr');
  const attributes = (mark?.children ?? []).filter(({ name }) => name === 'w:ins' || name === 'w:del');
  const others = attributes.reduce((text, element) => text.replace(xml.raw(element), ''), own);
  const tracked = trackedIn(others + leftovers(xml, record));
  if (!tracked) return null;
  const moved = mark?.children.find(({ name }) => name === 'w:moveFrom' || name === 'w:moveTo');
  const kind = moved ? KIND_OF_OPAQUE[moved.name]! : 'format';
  const before = own.includes('<w:pPrChange') ? propertiesBefore(own) : null;
  return revision(kind, tracked, { node: record.node.attrs.id, before });
}

/** XML of a paragraph that makes nothing of the model: runs without text, insertions without runs. */
function leftovers(xml: XmlDocument, record: ParagraphRecord): string {
  return hasTrackedLeftovers(xml, record)
    ? record.items
        .filter(({ size }) => size === 0)
        .map(
          ({ start, end, wrappers }) =>
            wrappers.map(({ openXml }) => openXml).join('') + xml.text.slice(start, end),
        )
        .join('')
    : '';
}

/** Whether a paragraph has tracked changes where the model has nothing to mark. */
export function hasTrackedLeftovers(xml: XmlDocument, { items }: ParagraphRecord): boolean {
  const shown = new Set(items.flatMap(({ size, wrappers }) => (size > 0 ? wrappers : [])));
  return items.some(({ size, start, end, wrappers }) => {
    if (size > 0) return false;
    const isEmptyChange = wrappers.some(
      (wrapper) => !shown.has(wrapper) && ['ins', 'del'].includes(wrapper.mark.type.name),
    );
    return isEmptyChange || trackedIn(xml.text.slice(start, end)) !== null;
  });
}

function propertiesBefore(own: string): Record<string, unknown> {
  const xml = new XmlDocument(settledXml(own, 'rejected', true));
  return { ...readParagraphProperties(xml, xml.root) };
}

/** The marks of runs before their properties were changed. */
function marksBefore(extra: string): Record<string, unknown> {
  const xml = new XmlDocument(`<w:rPr>${extra}</w:rPr>`);
  const old = xml.child(xml.child(xml.root, 'w:rPrChange'), 'w:rPr');
  const marks: readonly Mark[] = old ? splitRunProperties(xml, old).marks : [];
  return Object.fromEntries(marks.map(({ type, attrs }) => [type.name, attrs]));
}
