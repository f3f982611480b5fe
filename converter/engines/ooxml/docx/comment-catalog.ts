import type { Attrs, Node } from 'prosemirror-model';
import { type AttributeCheck, accepts } from '../../../../model/word/attributes.ts';
import { nodes } from '../../../../model/word/nodes.ts';
import * as values from '../../../../model/word/values.ts';
import { prefixFor } from '../package/namespace-prefix.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import type { OfficePackage } from '../package/office-package.ts';
import type { Relationships } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { paragraphsBelow, plainTextOf } from './run-text.ts';
import { isTrue } from './simple-types.ts';
import { vocabularyOf, WORD_2010, WORD_2012 } from './vocabulary.ts';

const textCheck = nodes.comment.attrs!.text!.validate as AttributeCheck;

/** Answers to answers, beyond which a file is thought to be broken. */
const MOST_ANSWERS_DEEP = 100;

/** A `w:comment` (17.13.4.2) that the model can hold. */
export interface CommentEntry {
  readonly ref: string;
  readonly element: XmlElement;
  readonly paragraphs: readonly CommentParagraph[];
  /** `w14:paraId` of its last paragraph, by which other parts name the comment. */
  readonly paraId: string | null;
  /** Attributes of its node, but for the id. */
  readonly attrs: Attrs;
}

export interface CommentParagraph {
  readonly element: XmlElement;
  readonly text: string;
}

/** What readers of text must know of the comments. */
export interface ReadableComments {
  readonly entries: ReadonlyMap<string, CommentEntry>;
  /** The node that stands for a comment. */
  nodeOf(ref: string): Node | undefined;
  /** Notes that a node stands for a comment. */
  claim(node: Node): void;
}

/** The comments of a package, and the nodes of the document that stand for them. */
export class CommentCatalog implements ReadableComments {
  readonly partName: string | undefined;
  readonly xml: XmlDocument | undefined;
  readonly states: CommentStates;
  readonly entries = new Map<string, CommentEntry>();
  readonly #nodes = new Map<string, Node>();

  constructor(opened: OfficePackage, relationships: Relationships) {
    this.partName = opened.relatedPartName(relationships, (type) => isRelationshipType(type, 'comments'));
    this.xml = opened.readableXml(this.partName);
    this.states = readCommentStates(opened, relationships);
    const entries = this.xml ? readEntries(this.xml) : [];
    for (const entry of withParents(entries, this.states)) this.entries.set(entry.ref, entry);
  }

  claim(node: Node): void {
    this.#nodes.set(node.attrs.ref, node);
  }

  nodeOf(ref: string): Node | undefined {
    return this.#nodes.get(ref);
  }

  get nodes(): Iterable<Node> {
    return this.#nodes.values();
  }
}

function readEntries(xml: XmlDocument): CommentEntry[] {
  const { prefix } = prefixFor(xml, WORD_2010, 'w14');
  const word = xml.attribute(xml.root, 'xmlns:w');
  const entries = new Map<string, CommentEntry>();
  for (const element of xml.root.children) {
    const attributes = xml.attributes(element);
    const isWord = element.name === 'w:comment' && vocabularyOf(attributes['xmlns:w'] ?? word);
    if (!isWord) continue;
    const { 'w:id': ref = '', 'w:author': author, 'w:initials': initials, 'w:date': date } = attributes;
    const paragraphs = paragraphsBelow(element).map((paragraph) => ({
      element: paragraph,
      text: plainTextOf(xml, paragraph),
    }));
    const text = paragraphs.map((paragraph) => paragraph.text).join('\n');
    const holds = accepts(values.decimalId, ref) && accepts(textCheck, text);
    if (!holds || entries.has(ref)) continue;
    const attrs = {
      ref,
      author: accepts(values.name, author) ? author : '',
      initials: accepts(values.initials, initials) ? initials : '',
      date: accepts(values.dateTime, date) ? date : null,
      text,
    };
    const paraId = xml.attribute(paragraphs.at(-1)?.element, `${prefix}:paraId`) ?? null;
    entries.set(ref, { ref, element, paragraphs, paraId, attrs });
  }
  return [...entries.values()];
}

function withParents(entries: readonly CommentEntry[], states: CommentStates): CommentEntry[] {
  const refs = new Map<string, string>();
  for (const { ref, paraId } of entries) if (paraId !== null) refs.set(paraId.toUpperCase(), ref);
  const parents = new Map<string, string>();
  for (const { ref, paraId } of entries) {
    const parent = refs.get(states.of(paraId)?.parentParaId?.toUpperCase() ?? '');
    if (parent !== undefined && !leadsTo(parents, parent, ref)) parents.set(ref, parent);
  }
  return entries.map((entry) => {
    const done = states.of(entry.paraId)?.done ?? false;
    return { ...entry, attrs: { ...entry.attrs, done, parent: parents.get(entry.ref) ?? null } };
  });
}

/**
 * True when a comment is another one or answers it, directly or not; also when the chain of answers is too long to follow.
 */
export function leadsTo(parents: ReadonlyMap<string, string>, from: string, to: string): boolean {
  let at: string | undefined = from;
  for (let depth = 0; at !== undefined && depth < MOST_ANSWERS_DEEP; depth++) {
    if (at === to) return true;
    at = parents.get(at);
  }
  return at !== undefined;
}

export const COMMENT_STATES_RELATIONSHIP =
  'http://schemas.microsoft.com/office/2011/relationships/commentsExtended';

/** A `w15:commentEx` ([MS-DOCX] 2.5.4.2): what a comment answers, and whether it is resolved. */
interface CommentState {
  readonly element: XmlElement;
  readonly parentParaId: string | undefined;
  readonly done: boolean;
}

/** The part that says which comments are answers and which are resolved. */
interface CommentStates {
  readonly partName: string | undefined;
  readonly xml: XmlDocument | undefined;
  of(paraId: string | null): CommentState | undefined;
}

function readCommentStates(opened: OfficePackage, relationships: Relationships): CommentStates {
  const partName = opened.relatedPartName(relationships, (type) => type === COMMENT_STATES_RELATIONSHIP);
  const xml = opened.readableXml(partName);
  const states = new Map<string, CommentState>();
  const prefix = xml && prefixFor(xml, WORD_2012, 'w15').prefix;
  for (const element of xml?.root.children ?? []) {
    const attributes = xml!.attributes(element);
    const paraId = attributes[`${prefix}:paraId`]?.toUpperCase();
    if (element.name !== `${prefix}:commentEx` || paraId === undefined || states.has(paraId)) continue;
    states.set(paraId, {
      element,
      parentParaId: attributes[`${prefix}:paraIdParent`],
      done: isTrue(attributes[`${prefix}:done`]),
    });
  }
  return { partName, xml, of: (paraId) => (paraId === null ? undefined : states.get(paraId.toUpperCase())) };
}
