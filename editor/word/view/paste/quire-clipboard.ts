import { Slice } from 'prosemirror-model';
import * as z from 'zod/mini';
import type { ListKind } from '../../../../model/word/new-lists.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { NEW_LIST } from '../../../../model/word/values.ts';
import type { KindOfList } from '../../commands/lists.ts';
import type { Styles } from '../../styles/styles.ts';
import type { NewTag } from './pasted-lists.ts';

/** The type under which the model itself is on the clipboard, beside HTML and text for everybody else. */
export const quireType = 'application/vnd.quire.word+json';

const payload = z.object({
  documentKey: z.string(),
  slice: z.unknown(),
  /** Kinds of the lists in the slice, by their id. */
  lists: z.record(z.string(), z.string()),
  /** Names of the styles in the slice, by their id. */
  styles: z.record(z.string(), z.string()),
});

export interface CopiedSlice {
  readonly documentKey: string;
  readonly slice: Slice;
  readonly lists: Readonly<Record<string, string>>;
  readonly styles: Readonly<Record<string, string>>;
}

/** A copied slice as text for the clipboard, with the kinds of its lists and the names of its styles. */
export function encodeSlice(slice: Slice, documentKey: string, styles: Styles, kindOf: KindOfList): string {
  const lists: Record<string, string> = {};
  const styleNames: Record<string, string> = {};
  const nameStyle = (id: unknown) => {
    const style = typeof id === 'string' ? styles.style(id) : undefined;
    if (style) styleNames[style.id] = style.name;
  };
  slice.content.descendants((node) => {
    const { listId, style } = node.attrs;
    if (typeof listId === 'string') lists[listId] = kindOf(listId);
    nameStyle(style);
    for (const mark of node.marks) if (mark.type.name === 'character_style') nameStyle(mark.attrs.id);
  });
  return JSON.stringify({ documentKey, slice: slice.toJSON(), lists, styles: styleNames });
}

/** What another page of Quire has copied, checked like any change; null when it is nothing of that kind. */
export function decodeSlice(text: string): CopiedSlice | null {
  try {
    const copied = z.parse(payload, JSON.parse(text));
    const slice = Slice.fromJSON(wordSchema, copied.slice);
    slice.content.forEach((node) => {
      node.check();
    });
    return { ...copied, slice };
  } catch {
    return null;
  }
}

const kinds: readonly string[] = ['bullet', 'decimal', 'alpha', 'roman', 'outline'] satisfies ListKind[];

/** Lists of another document become new ones of their kind, each once. */
export function foreignLists(
  lists: Readonly<Record<string, string>>,
  newTag: NewTag,
): (listId: string) => string | null {
  const made = new Map<string, string>();
  return (listId) => {
    const kind =
      NEW_LIST.exec(listId)?.[1] ?? (kinds.includes(lists[listId] ?? '') ? lists[listId] : 'decimal');
    const own = made.get(listId) ?? `new-${kind}-${newTag()}`;
    made.set(listId, own);
    return own;
  };
}
