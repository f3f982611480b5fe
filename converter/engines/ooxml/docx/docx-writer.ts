import type { Node } from 'prosemirror-model';
import type { MediaReader } from '../../kind-engine.ts';
import { BlockWriter } from './block-writer.ts';
import { CommentPlan } from './comment-plan.ts';
import { writeComments } from './comment-writer.ts';
import { withoutLooseElements } from './complex-fields.ts';
import { withWrittenControls } from './controls/written-controls.ts';
import { withDistinctIds } from './distinct-ids.ts';
import type { DocxSource } from './docx-source.ts';
import { withMendedFields } from './mended-fields.ts';
import { PackageAdditions } from './package-additions.ts';
import { withoutProtection } from './settings.ts';
import { type Decision, settledXml } from './tracked-xml.ts';
import { withWholeRanges } from './whole-ranges.ts';
import { WriteContext } from './write-context.ts';

export interface WrittenDocx {
  /** New bytes by part name; empty when the document is as it was opened. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
  /** Blocks that were written anew, in document order: id and beginning of the text. */
  readonly changed: string[];
  /** Paths of new pictures that could not be written because nobody gave their bytes. */
  readonly missingMedia: string[];
}

/** Writes a document back into the package it was opened from. Every byte that nobody changed stays. */
export function writeDocx(source: DocxSource, doc: Node, media: MediaReader): WrittenDocx {
  if (doc === source.doc || doc.eq(source.doc)) return { parts: new Map(), changed: [], missingMedia: [] };
  const additions = new PackageAdditions(source, media);
  const comments = new CommentPlan(source, withMendedFields(source, doc));
  const context = new WriteContext(source, additions, comments);
  const written = withBody(source, new BlockWriter(context).write(comments.doc), doc.attrs.settled);
  const whole = written === source.xml.text ? written : mended(written, context);
  const { text, parts: controlParts } = withWrittenControls(source, whole);
  const changedComments = writeComments(context);
  for (const [name, bytes] of controlParts) additions.replacePart(name, bytes);
  const { settings, settingsPart } = source;
  if (doc.attrs.lifted && source.protection && settings && settingsPart !== undefined) {
    additions.replacePart(settingsPart, settings.encode(withoutProtection(settings)));
  }
  const parts = additions.changes();
  if (text !== source.xml.text) parts.set(source.package.mainPart, source.xml.encode(text));
  const changed = [...context.changed, ...removedParagraphs(source.doc, comments.doc), ...changedComments];
  return { parts, changed, missingMedia: [...additions.missing] };
}

/** What can only be seen of the part as a whole: halves of fields and ranges, and ids that copies share. */
function mended(written: string, context: WriteContext): string {
  const { text } = context.source.xml;
  return withDistinctIds(withWholeRanges(withoutLooseElements(written), text), text, context);
}

function withBody({ xml, body, bodyBlocks }: DocxSource, blocks: string, settled: Decision | null): string {
  const { text } = xml;
  if (body.selfClosing) {
    const open = xml.openTag(body).replace(/\s*\/>$/, '>');
    return `${text.slice(0, body.start)}${open}${blocks}</w:body>${text.slice(body.end)}`;
  }
  const start = bodyBlocks[0]?.start ?? body.children[0]?.start ?? body.closeStart;
  const end = bodyBlocks.at(-1)?.end ?? start;
  const last = body.children.find(({ name }) => name === 'w:sectPr');
  if (!settled || !last || last.start < end) return text.slice(0, start) + blocks + text.slice(end);
  const section = settledXml(xml.raw(last), settled);
  return text.slice(0, start) + blocks + text.slice(end, last.start) + section + text.slice(last.end);
}

function removedParagraphs(before: Node, after: Node): string[] {
  const present = new Set<unknown>();
  after.descendants((node) => {
    present.add(node.attrs.id);
    return !node.isTextblock;
  });
  const removed: string[] = [];
  before.descendants((node) => {
    if (node.isTextblock && !present.has(node.attrs.id)) removed.push(`${node.attrs.id}: removed`);
    return !node.isTextblock;
  });
  return removed;
}
