import * as z from 'zod/mini';

const cursorSchema = z.object({
  /** Positions of the selection in the document as it is after `v` changes of the log. */
  a: z.int().check(z.nonnegative()),
  h: z.int().check(z.nonnegative()),
  v: z.int().check(z.nonnegative()),
});

/** Where somebody's selection is, as the editors of text tell each other. */
export interface CursorPlace {
  readonly anchor: number;
  readonly head: number;
  readonly version: number;
}

export const encodeCursor = ({ anchor, head, version }: CursorPlace): string =>
  JSON.stringify({ a: anchor, h: head, v: version });

/** Null for what another kind of editor has sent. */
export function decodeCursor(text: string): CursorPlace | null {
  try {
    const { a, h, v } = z.parse(cursorSchema, JSON.parse(text));
    return { anchor: a, head: h, version: v };
  } catch {
    return null;
  }
}
