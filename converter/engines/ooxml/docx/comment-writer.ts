import { ignorablePrefixFor, WORD_2010 } from '../package/namespace-prefix.ts';
import { vocabularyOf } from '../package/namespaces.ts';
import { editedPart } from '../package/part-edit.ts';
import type { TextEdit } from '../package/text-edits.ts';
import { XmlDocument } from '../package/xml-document.ts';
import { changedEntryXml, type EntryForm, newEntryXml } from './comment-entry-writer.ts';
import { removeCommentIds } from './comment-ids.ts';
import { hasNewContent, hasNewState, type PlannedComment } from './comment-plan.ts';
import { CommentStateWriter } from './comment-state-writer.ts';
import { COMMENT_STATES_RELATIONSHIP } from './comment-states.ts';
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
    bytes: xml.encode(editedPart(xml, { rootAttributes, edits, appended })),
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
