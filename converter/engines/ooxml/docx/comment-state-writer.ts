import { prefixFor, WORD_2012 } from '../package/namespace-prefix.ts';
import { editedPart } from '../package/part-edit.ts';
import type { TextEdit } from '../package/text-edits.ts';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import { type CommentPlan, hasNewState, type PlannedComment } from './comment-plan.ts';
import type { DocxSource } from './docx-source.ts';
import { ParagraphIds } from './paragraph-ids.ts';

const EMPTY = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w15:commentsEx xmlns:w15="${WORD_2012}"/>`;

/** Writes which comments are answers, and which are resolved. */
export class CommentStateWriter {
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
    this.#xml = source.comments.states.xml ?? new XmlDocument(EMPTY);
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
    return this.#xml.encode(editedPart(this.#xml, edit));
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
