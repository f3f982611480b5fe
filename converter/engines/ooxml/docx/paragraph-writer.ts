import type { Node } from 'prosemirror-model';
import { hasTrackedLeftovers } from './file-revisions.ts';
import { InlineWriter } from './inline-writer.ts';
import { writeParagraphProperties } from './paragraph-property-writer.ts';
import type { InlineItem, ParagraphRecord } from './source-map.ts';
import { isRevision } from './wrapper-writer.ts';
import type { WriteContext } from './write-context.ts';

interface ParagraphOrigin {
  /** The paragraph of the file that this one is. */
  readonly record: ParagraphRecord | undefined;
  /** The paragraph of the file that this one is, or was made from by a split. */
  readonly base: ParagraphRecord | undefined;
  readonly endsSection: boolean;
}

/** A paragraph that is new or changed. Runs outside of what changed are copied as they lie in the file. */
export function writeParagraph(context: WriteContext, paragraph: Node, origin: ParagraphOrigin): string {
  const { record, base, endsSection } = origin;
  const properties = writeParagraphProperties(context, paragraph, {
    base,
    isBase: record !== undefined,
    endsSection,
  });
  if (!record) {
    const writer = new InlineWriter(context);
    writer.writeNodes(paragraph.content, 0, paragraph.content.size);
    return `<w:p>${properties}${writer.finish()}</w:p>`;
  }
  const { xml } = context.source;
  const open = xml.openTag(record.element);
  if (record.element.selfClosing) {
    const writer = new InlineWriter(context);
    writer.writeNodes(paragraph.content, 0, paragraph.content.size);
    return `${open.replace(/\s*\/>$/, '>')}${properties}${writer.finish()}</w:p>`;
  }
  return (
    open +
    properties +
    patchContent(context, paragraph, record) +
    xml.text.slice(record.element.closeStart, record.end)
  );
}

function patchContent(context: WriteContext, paragraph: Node, record: ParagraphRecord): string {
  const { text } = context.source.xml;
  const { items, element } = record;
  const contentStart = record.properties?.end ?? element.openEnd;
  const { content } = paragraph;
  const { settled } = paragraph.attrs;
  const isSettled = settled !== record.node.attrs.settled && hasTrackedLeftovers(context.source.xml, record);
  if (isSettled || hasLateProperties(record)) {
    const whole = new InlineWriter(context);
    whole.writeNodes(content, 0, content.size);
    return whole.finish();
  }
  const changed = changedRange(record.node, paragraph);
  if (!changed) {
    context.claimContent(content);
    return text.slice(contentStart, element.closeStart);
  }
  const { keptBefore, keptAfter, start, end } = keptItems(paragraph, record, changed);
  context.claimContent(content, 0, start);
  context.claimContent(content, end, content.size);
  const writer = new InlineWriter(context);
  const before = items[keptBefore - 1];
  if (before) writer.startAfter(text.slice(contentStart, before.end), before.wrappers);
  writer.writeNodes(content, start, end);
  const after = items[keptAfter];
  return after ? writer.finishWith(text.slice(after.start, element.closeStart), after) : writer.finish();
}

/** Whether properties stand behind content, where the schema has none (17.3.1.22): they are written before it. */
function hasLateProperties({ properties, element }: ParagraphRecord): boolean {
  return properties !== undefined && element.children[0] !== properties;
}

/** Which items of the file's paragraph stay as they lie there, and what of the content stands between them. */
interface KeptItems {
  /** The first so many. */
  readonly keptBefore: number;
  /** Those from this index on. */
  readonly keptAfter: number;
  /** Positions in the paragraph. */
  readonly start: number;
  readonly end: number;
}

function keptItems(
  paragraph: Node,
  { items, node: original }: ParagraphRecord,
  changed: ChangedRange,
): KeptItems {
  let keptBefore = 0;
  let start = 0;
  while (keptBefore < items.length && start + items[keptBefore]!.size <= changed.start)
    start += items[keptBefore++]!.size;
  let keptAfter = items.length;
  let originalEnd = original.content.size;
  while (keptAfter > keptBefore && originalEnd - items[keptAfter - 1]!.size >= changed.originalEnd) {
    originalEnd -= items[--keptAfter]!.size;
  }
  const end = paragraph.content.size - (original.content.size - originalEnd);
  const before = () => items.slice(0, keptBefore);
  while (keptBefore > 0 && isLost(items[keptBefore - 1]!, before(), paragraph.nodeAt(start))) keptBefore--;
  const last = end > 0 ? paragraph.nodeAt(end - 1) : null;
  while (keptAfter < items.length && isLost(items[keptAfter]!, items.slice(keptAfter), last)) keptAfter++;
  return { keptBefore, keptAfter, start, end };
}

/**
 * Whether an item that is nothing of the model goes with the insertion or deletion that it stands in, because nothing else
 * is left of that.
 * @param kept the items on its side that stay
 * @param next the content beside them
 */
function isLost(item: InlineItem, kept: readonly InlineItem[], next: Node | null): boolean {
  if (item.size > 0) return false;
  return item.wrappers.some(
    (wrapper) =>
      isRevision(wrapper.mark) &&
      !kept.some(({ size, wrappers }) => size > 0 && wrappers.includes(wrapper)) &&
      !(next && wrapper.mark.isInSet(next.marks)),
  );
}

interface ChangedRange {
  readonly start: number;
  readonly originalEnd: number;
}

/** The smallest range of the original content that differs; undefined when nothing does. */
function changedRange(original: Node, paragraph: Node): ChangedRange | undefined {
  const start = original.content.findDiffStart(paragraph.content);
  const end = original.content.findDiffEnd(paragraph.content);
  if (start === null || end === null) return undefined;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return { start, originalEnd: end.a + overlap };
}
