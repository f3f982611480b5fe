import type { KindName } from '../../model/kinds.ts';

/** The page of each editor that exists. The address is `quire/<page>/index.html` below the editor apps. */
const editors: Partial<Record<KindName, string>> = { word: 'word' };

export const editorPages: readonly string[] = Object.values(editors);

/** The page that opens documents of a kind: its editor, or the one that shows what has none. */
export const pageFor = (kind: KindName): string => editors[kind] ?? 'viewer';
