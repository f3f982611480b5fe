import type { WordDocumentJson, WordListLevel } from '../../../../model/word/document.ts';
import { type ListKind, newListLevel } from '../../../../model/word/new-lists.ts';
import { NEW_LIST } from '../../../../model/word/values.ts';

/** What the levels of lists look like: those of the file, and new ones by the kind that their name says. */
export class ListDefinitions {
  readonly #levels = new Map<string, WordListLevel>();
  readonly #counters = new Map<string, string>();

  constructor(lists: WordDocumentJson['lists']) {
    for (const list of lists) {
      this.#counters.set(list.id, `counter ${list.counter}`);
      for (const level of list.levels) this.#levels.set(`${list.id} ${level.level}`, level);
    }
  }

  /** Undefined for a list that the document does not define. */
  level(listId: string, level: number): WordListLevel | undefined {
    const kind = newListKind(listId);
    return this.#levels.get(`${kind ?? listId} ${level}`) ?? (kind ? this.#make(kind, level) : undefined);
  }

  /** Lists with the same counter number on each other's paragraphs. */
  counter(listId: string): string {
    return this.#counters.get(listId) ?? listId;
  }

  #make(kind: ListKind, level: number): WordListLevel {
    const { font, ...look } = newListLevel(kind, level);
    const made: WordListLevel = {
      ...look,
      level,
      start: 1,
      restarts: false,
      suffix: 'tab',
      run: font ? { font: { name: font } } : {},
    };
    this.#levels.set(`${kind} ${level}`, made);
    return made;
  }
}

/** The kind in the name of a new list; null for lists of the file. */
export function newListKind(listId: string): ListKind | null {
  return (NEW_LIST.exec(listId)?.[1] as ListKind | undefined) ?? null;
}
