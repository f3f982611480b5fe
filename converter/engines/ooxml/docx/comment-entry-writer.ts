import type { XmlDocument } from '../package/xml-document.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import type { CommentEntry, CommentParagraph } from './comment-catalog.ts';
import type { PlannedComment } from './comment-plan.ts';
import { textXml } from './run-text.ts';
import { writableDate } from './simple-types.ts';

/** Ids of the styles that Word gives comments; undefined where the document has no such style. */
export interface CommentStyles {
  readonly paragraph: string | undefined;
  readonly reference: string | undefined;
}

/** How the elements of one comment are written. */
export interface EntryForm {
  readonly styles: CommentStyles;
  /** `w14:paraId`, with the prefix that the part has for it. */
  readonly paraIdName: string;
  /** Id that the last paragraph must have, if any. */
  readonly paraId: string | undefined;
}

/** A `w:comment` that the file does not have. */
export function newEntryXml(comment: PlannedComment, form: EntryForm, namespaces: string): string {
  const { author, initials, date, text } = comment.attrs;
  const attributes = attributesXml({
    'w:id': comment.number,
    'w:author': author,
    'w:date': writableDate(date),
    'w:initials': initials === '' ? undefined : initials,
  });
  return `<w:comment${namespaces}${attributes}>${paragraphsXml(text.split('\n'), form)}</w:comment>`;
}

/** The `w:comment` of the file with what changed. Paragraphs whose text is the same stay as they lie there. */
export function changedEntryXml(
  xml: XmlDocument,
  entry: CommentEntry,
  comment: PlannedComment | undefined,
  form: EntryForm,
): string {
  const { element, attrs: before } = entry;
  const after = comment?.attrs ?? before;
  const changes: Record<string, string | null> = {};
  if (after.author !== before.author) changes['w:author'] = after.author;
  if (after.initials !== before.initials) changes['w:initials'] = after.initials || null;
  if (after.date !== before.date) changes['w:date'] = writableDate(after.date) ?? null;
  const open = withAttributes(xml.openTag(element), changes).replace(/\s*\/>$/, '>');
  const content =
    after.text === before.text ? sameContent(xml, entry, form) : newContent(xml, entry, after.text, form);
  return `${open}${content}</${element.name}>`;
}

function sameContent(
  xml: XmlDocument,
  { element, paragraphs, paraId }: CommentEntry,
  form: EntryForm,
): string {
  const last = paragraphs.at(-1)?.element;
  if (form.paraId === undefined || form.paraId === paraId) return xml.inner(element);
  if (!last) return xml.inner(element) + paragraphsXml([''], form);
  const tag = withAttributes(xml.openTag(last), { [form.paraIdName]: form.paraId });
  return xml.text.slice(element.openEnd, last.start) + tag + xml.text.slice(last.openEnd, element.closeStart);
}

function newContent(xml: XmlDocument, entry: CommentEntry, text: string, form: EntryForm): string {
  const lines = text.split('\n');
  const isPlain = entry.element.children.length === entry.paragraphs.length;
  const kept = isPlain ? entry.paragraphs : [];
  let before = 0;
  while (before < Math.min(kept.length, lines.length) && kept[before]!.text === lines[before]) before++;
  let after = 0;
  const rest = Math.min(kept.length, lines.length) - before;
  while (after < rest && kept.at(-1 - after)!.text === lines.at(-1 - after)) after++;
  const raw = (paragraphs: readonly CommentParagraph[]) => paragraphs.map(({ element }) => xml.raw(element));
  const middle = lines.slice(before, lines.length - after);
  const paragraphs = [
    ...raw(kept.slice(0, before)),
    ...middle.map((line, index) => paragraphXml(line, before + index === 0, form)),
    ...raw(kept.slice(kept.length - after)),
  ];
  return withId(paragraphs, form);
}

function paragraphsXml(lines: readonly string[], form: EntryForm): string {
  return withId(
    lines.map((line, index) => paragraphXml(line, index === 0, form)),
    form,
  );
}

/** The paragraphs, of which the last has the id of the comment. */
function withId(paragraphs: readonly string[], { paraId, paraIdName }: EntryForm): string {
  if (paraId === undefined) return paragraphs.join('');
  return paragraphs.slice(0, -1).join('') + withAttributes(paragraphs.at(-1)!, { [paraIdName]: paraId });
}

/** A paragraph of a comment; the first begins with the mark of the comment (17.13.4.1), as Word wants it. */
function paragraphXml(line: string, isFirst: boolean, { styles }: EntryForm): string {
  const properties = styles.paragraph
    ? `<w:pPr><w:pStyle${attributesXml({ 'w:val': styles.paragraph })}/></w:pPr>`
    : '';
  const mark = isFirst ? `<w:r>${referenceStyleXml(styles)}<w:annotationRef/></w:r>` : '';
  const content = line
    .split('\t')
    .map((part) => textXml(part, false))
    .join('<w:tab/>');
  return `<w:p>${properties}${mark}${content === '' ? '' : `<w:r>${content}</w:r>`}</w:p>`;
}

/** Run properties of the mark of a comment. */
function referenceStyleXml({ reference }: CommentStyles): string {
  return reference ? `<w:rPr><w:rStyle${attributesXml({ 'w:val': reference })}/></w:rPr>` : '';
}
