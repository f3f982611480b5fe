/** Kinds of lists that an editor can make anew; `listId` names them (see `NEW_LIST`). */
export type ListKind = 'bullet' | 'decimal' | 'alpha' | 'roman' | 'outline';

/** What a level of a new list looks like, in the file and on the screen. */
export interface NewListLevel {
  /** ST_NumberFormat (17.18.59). */
  readonly format: string;
  /** Template of the label: `%1` is the number of level 1. */
  readonly text: string;
  /** Font of the label, where it is not that of the text. */
  readonly font?: string;
  /** Twips. */
  readonly indentLeft: number;
  /** Twips; negative, as the label hangs. */
  readonly indentFirst: number;
}

export const NEW_LIST_LEVELS = 9;

const BULLETS = [
  { text: '\uf0b7', font: 'Symbol' },
  { text: 'o', font: 'Courier New' },
  { text: '\uf0a7', font: 'Wingdings' },
] as const;
/** Formats by level, repeated; the first is that of the kind. */
const FORMATS: Record<Exclude<ListKind, 'bullet' | 'outline'>, readonly string[]> = {
  decimal: ['decimal', 'lowerLetter', 'lowerRoman'],
  alpha: ['lowerLetter', 'lowerRoman', 'decimal'],
  roman: ['lowerRoman', 'decimal', 'lowerLetter'],
};

/** @param level 0 to 8; each is half an inch further in */
export function newListLevel(kind: ListKind, level: number): NewListLevel {
  return { ...labelOf(kind, level), indentLeft: 720 * (level + 1), indentFirst: -360 };
}

function labelOf(kind: ListKind, level: number): Pick<NewListLevel, 'format' | 'text' | 'font'> {
  if (kind === 'bullet') return { format: 'bullet', ...BULLETS[level % BULLETS.length]! };
  if (kind !== 'outline') {
    const formats = FORMATS[kind];
    return { format: formats[level % formats.length]!, text: `%${level + 1}.` };
  }
  const numbers = Array.from({ length: level + 1 }, (_, index) => `%${index + 1}`);
  return { format: 'decimal', text: `${numbers.join('.')}.` };
}
