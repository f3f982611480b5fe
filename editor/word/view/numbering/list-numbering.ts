import type { WordDocumentJson, WordListLevel } from '../../../../model/word/document.ts';
import { type ListKind, newListLevel } from '../../../../model/word/new-lists.ts';
import { NEW_LIST } from '../../../../model/word/values.ts';
import { symbolText } from '../../../kit/symbol-fonts.ts';
import { formatNumber } from './number-format.ts';

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

export interface ListPlace {
  readonly listId: string;
  readonly level: number;
}

/** Numbers the paragraphs of lists, in the order of the document. */
export class ListCounter {
  readonly #definitions: ListDefinitions;
  /** The number that each level has reached, by counter; absent when the level begins again. */
  readonly #numbers = new Map<string, (number | undefined)[]>();
  /** Levels of lists that have begun. */
  readonly #begun = new Set<string>();

  constructor(definitions: ListDefinitions) {
    this.#definitions = definitions;
  }

  /** The label of the next paragraph, which is at this place. */
  next({ listId, level }: ListPlace): string {
    const definition = this.#definitions.level(listId, level);
    if (!definition) return '';
    const counter = this.#definitions.counter(listId);
    const numbers = this.#numbers.get(counter) ?? [];
    this.#numbers.set(counter, numbers);
    const place = `${level} ${listId}`;
    if (definition.restarts && !this.#begun.has(place)) numbers[level] = undefined;
    this.#begun.add(place);
    // A level that was skipped counts as begun.
    for (let above = 0; above < level; above++) {
      if (numbers[above] !== undefined) continue;
      numbers[above] = this.#levelAt(listId, above).start;
      this.#begun.add(`${above} ${listId}`);
    }
    numbers[level] = (numbers[level] ?? definition.start - 1) + 1;
    for (let deeper = level + 1; deeper < numbers.length; deeper++)
      if (level < (this.#levelAt(listId, deeper).restartsAfter ?? deeper)) numbers[deeper] = undefined;
    if (definition.format === 'bullet') return symbolText(definition.text, fontOf(definition.run));
    return definition.text.replace(/%([1-9])/g, (_whole, digit: string) => {
      const shown = Number(digit) - 1;
      const { format, start } = this.#levelAt(listId, shown);
      const isPlain = definition.isLegal && !format.startsWith('decimalZero') && format !== 'none';
      return formatNumber(numbers[shown] ?? start, isPlain ? 'decimal' : format);
    });
  }

  #levelAt(listId: string, level: number): Pick<WordListLevel, 'format' | 'start' | 'restartsAfter'> {
    return this.#definitions.level(listId, level) ?? { format: 'decimal', start: 1 };
  }
}

/** The font of run properties; null for none. */
export function fontOf(run: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string | null {
  const name = run.font?.name;
  return typeof name === 'string' ? name : null;
}
