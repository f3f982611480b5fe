import { ignorablePrefixFor, prefixFor } from '../package/namespace-prefix.ts';
import { applyEdits, type TextEdit } from '../package/text-edits.ts';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import { COMMENT_STATES_RELATIONSHIP, type CommentEntry } from './comment-catalog.ts';
import { changedEntryXml, type EntryForm, newEntryXml } from './comment-entry-writer.ts';
import { type CommentPlan, hasNewContent, hasNewState, type PlannedComment } from './comment-plan.ts';
import type { DocxSource } from './docx-source.ts';
import type { PackageAdditions } from './package-additions.ts';
import { vocabularyOf, WORD_2010, WORD_2012 } from './vocabulary.ts';
import type { WriteContext } from './write-context.ts';

const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/**
 * Writes the comments of a document into the parts that hold them; what is as it was opened stays in every byte.
 * @returns what was written, as number and beginning of the text
 */
export function writeComments(context: WriteContext): string[] {
  const { source, comments: plan, additions } = context;
  const states = new CommentStateWriter(source, plan);
  const bytes = states.write();
  if (bytes) {
    additions.putPart({
      partName: source.comments.states.partName,
      fileName: 'commentsExtended.xml',
      bytes,
      contentType: `${TYPES}.commentsExtended+xml`,
      relationshipType: COMMENT_STATES_RELATIONSHIP,
    });
  }
  removeCommentIds(source, plan.removed, additions);
  return writeEntries(context, states.newParaIds);
}

function writeEntries(context: WriteContext, newParaIds: ReadonlyMap<string, string>): string[] {
  const { source, comments: plan } = context;
  const { comments, vocabulary } = source;
  const xml = comments.xml ?? new XmlDocument(emptyPart(vocabulary.word));
  const extension = ignorablePrefixFor(xml, WORD_2010, 'w14');
  const formOf = (ref: string): EntryForm => ({
    styles: context.commentStyles,
    paraIdName: `${extension.prefix}:paraId`,
    paraId: newParaIds.get(ref) ?? comments.entries.get(ref)?.paraId ?? undefined,
  });
  const edits: TextEdit[] = plan.removed.map(({ element: { start, end } }) => ({ start, end, text: '' }));
  const changed = plan.removed.map(({ ref }) => `comment ${ref}: removed`);
  for (const entry of comments.entries.values()) {
    const comment = plan.comments.get(entry.ref);
    const known = comment?.entry && comment;
    if (known && (hasNewContent(known) || hasNewState(known))) changed.push(excerpt(known));
    if (!(known && hasNewContent(known)) && !newParaIds.has(entry.ref)) continue;
    const text = changedEntryXml(xml, entry, known, formOf(entry.ref));
    edits.push({ start: entry.element.start, end: entry.element.end, text });
  }
  const bindsWord = vocabularyOf(xml.attribute(xml.root, 'xmlns:w')) !== undefined;
  const namespaces = bindsWord ? '' : ` xmlns:w="${vocabulary.word}"`;
  let appended = '';
  for (const comment of plan.comments.values()) {
    if (comment.entry) continue;
    changed.push(excerpt(comment));
    appended += newEntryXml(comment, formOf(comment.ref), namespaces);
  }
  if (edits.length === 0 && appended === '') return changed;
  const rootAttributes = newParaIds.size > 0 ? extension.rootAttributes : {};
  context.additions.putPart({
    partName: comments.partName,
    fileName: 'comments.xml',
    bytes: xml.encode(xml.edited({ rootAttributes, edits, appended })),
    contentType: `${TYPES}.comments+xml`,
    relationshipType: `${vocabulary.relationships}/comments`,
  });
  return changed;
}

function emptyPart(namespace: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${namespace}"/>`;
}

const EXCERPT_CHARS = 40;

function excerpt({ number, attrs }: PlannedComment): string {
  const text = String(attrs.text).replace(/\s+/g, ' ');
  return `comment ${number}: ${text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS)}…`}`;
}

const EMPTY_STATES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w15:commentsEx xmlns:w15="${WORD_2012}"/>`;

/** Writes which comments are answers, and which are resolved. */
class CommentStateWriter {
  /** New paragraph ids by the `ref` of the comments that need one to be named here. */
  readonly newParaIds = new Map<string, string>();
  readonly #source: DocxSource;
  readonly #plan: CommentPlan;
  readonly #xml: XmlDocument;
  readonly #prefix: string;
  readonly #rootAttributes: Readonly<Record<string, string>>;
  /** By where they begin: broken files name several comments by one element. */
  readonly #edits = new Map<number, TextEdit>();
  readonly #written = new Set<string>();
  #appended = '';
  #ids: ParagraphIds | undefined;

  constructor(source: DocxSource, plan: CommentPlan) {
    this.#source = source;
    this.#plan = plan;
    this.#xml = source.comments.states.xml ?? new XmlDocument(EMPTY_STATES);
    const { prefix, rootAttributes } = prefixFor(this.#xml, WORD_2012, 'w15');
    this.#prefix = prefix;
    this.#rootAttributes = rootAttributes;
  }

  /** The part's new bytes, or undefined when it needs none. */
  write(): Uint8Array | undefined {
    const { states } = this.#source.comments;
    for (const { paraId } of this.#plan.removed) {
      const element = states.of(paraId)?.element;
      if (element) this.#edit(element, '');
    }
    for (const comment of this.#plan.comments.values()) if (this.#mustSay(comment)) this.#say(comment.ref);
    if (this.#edits.size === 0 && this.#appended === '') return undefined;
    const edit = {
      rootAttributes: this.#rootAttributes,
      edits: [...this.#edits.values()],
      appended: this.#appended,
    };
    return this.#xml.encode(this.#xml.edited(edit));
  }

  #mustSay(comment: PlannedComment): boolean {
    if (comment.entry) return hasNewState(comment);
    const hasPart = this.#source.comments.states.xml !== undefined;
    return hasPart || comment.parent !== null || comment.attrs.done;
  }

  /** Writes the state of a comment, and that of the one that it answers where the file has none. */
  #say(ref: string): void {
    if (this.#written.has(ref)) return;
    this.#written.add(ref);
    const entry = this.#source.comments.entries.get(ref);
    const comment = this.#plan.comments.get(ref);
    const parent = comment ? comment.parent : (entry?.attrs.parent ?? null);
    const done: boolean = (comment?.attrs ?? entry?.attrs)?.done ?? false;
    const known = this.#stateOf(ref);
    if (parent !== null && !this.#stateOf(parent)) this.#say(parent);
    const attributes = {
      [`${this.#prefix}:paraId`]: this.#paraIdOf(ref),
      [`${this.#prefix}:paraIdParent`]: parent === null ? null : this.#paraIdOf(parent),
      [`${this.#prefix}:done`]: done ? '1' : '0',
    };
    if (known) this.#edit(known.element, withAttributes(this.#xml.raw(known.element), attributes));
    else this.#appended += `<${this.#prefix}:commentEx${attributesXml(attributes)}/>`;
  }

  #edit({ start, end }: XmlElement, text: string): void {
    this.#edits.set(start, { start, end, text });
  }

  #stateOf(ref: string): ReturnType<DocxSource['comments']['states']['of']> {
    const { entries, states } = this.#source.comments;
    return states.of(entries.get(ref)?.paraId ?? null);
  }

  #paraIdOf(ref: string): string {
    const known = this.#source.comments.entries.get(ref)?.paraId ?? this.newParaIds.get(ref);
    if (known !== undefined) return known;
    this.#ids ??= new ParagraphIds(this.#source);
    const id = this.#ids.next();
    this.newParaIds.set(ref, id);
    return id;
  }
}

const IDS_RELATIONSHIP = 'http://schemas.microsoft.com/office/2016/09/relationships/commentsIds';
const EXTENSIBLE_RELATIONSHIP =
  'http://schemas.microsoft.com/office/2018/08/relationships/commentsExtensible';

/** Takes comments out of the parts that give comments lasting ids ([MS-DOCX] 2.7.4 and 2.7.8). */
function removeCommentIds(
  source: DocxSource,
  removed: readonly CommentEntry[],
  additions: PackageAdditions,
): void {
  const paraIds = new Set(removed.flatMap(({ paraId }) => (paraId === null ? [] : [paraId.toUpperCase()])));
  if (paraIds.size === 0) return;
  const ids = removeElements(source, IDS_RELATIONSHIP, additions, (xml, element) =>
    paraIds.has(localAttribute(xml, element, 'paraId') ?? ''),
  );
  const durableIds = new Set(ids.map((attributes) => attributes.durableId));
  removeElements(source, EXTENSIBLE_RELATIONSHIP, additions, (xml, element) =>
    durableIds.has(localAttribute(xml, element, 'durableId') ?? ''),
  );
}

function removeElements(
  { package: opened, relationships }: DocxSource,
  relationshipType: string,
  additions: PackageAdditions,
  isRemoved: (xml: XmlDocument, element: XmlElement) => boolean,
): { readonly durableId: string | undefined }[] {
  const partName = opened.relatedPartName(relationships, (type) => type === relationshipType);
  const xml = opened.readableXml(partName);
  if (!xml || partName === undefined) return [];
  const elements = xml.root.children.filter((element) => isRemoved(xml, element));
  const edits = elements.map(({ start, end }) => ({ start, end, text: '' }));
  if (edits.length > 0) additions.replacePart(partName, xml.encode(applyEdits(xml.text, edits)));
  return elements.map((element) => ({ durableId: localAttribute(xml, element, 'durableId') }));
}

/** A hexadecimal id by the attribute's name without prefix: programs differ in the prefixes of these namespaces. */
function localAttribute(xml: XmlDocument, element: XmlElement, localName: string): string | undefined {
  const attribute = Object.entries(xml.attributes(element)).find(([name]) => name.endsWith(`:${localName}`));
  return attribute?.[1].toUpperCase();
}

const PARAGRAPH_ID = /\b\w+:paraId\s*=\s*["']([0-9A-Fa-f]{8})["']/g;
/** Ids are below this ([MS-DOCX] 2.6.2.3). */
const END = 0x8000_0000;

/** Makes values of `w14:paraId` that no paragraph of the package has. */
class ParagraphIds {
  readonly #used = new Set<number>();
  #last: number;

  constructor(source: DocxSource) {
    const { xml, comments, shownParts, package: opened } = source;
    const shown = [...shownParts.values()].map(({ partName }) => opened.readableXml(partName));
    let highest = 0;
    for (const text of [xml, comments.xml, comments.states.xml, ...shown].map((part) => part?.text ?? '')) {
      for (const [, digits] of text.matchAll(PARAGRAPH_ID)) {
        const id = Number.parseInt(digits!, 16);
        this.#used.add(id);
        highest = Math.max(highest, id);
      }
    }
    this.#last = highest < END / 2 ? highest : 0;
  }

  next(): string {
    do this.#last++;
    while (this.#used.has(this.#last));
    return this.#last.toString(16).toUpperCase().padStart(8, '0');
  }
}
