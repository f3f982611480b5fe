import type { WordDocumentJson, WordStyle } from '../../../model/word/document.ts';

type Properties = WordStyle['paragraph'];
type RunProperties = WordStyle['run'];

/** What a style means with everything it is based on, document defaults included. */
interface ResolvedStyle {
  readonly paragraph: Properties;
  readonly run: RunProperties;
}

/** The styles of a document by id, resolved once each (17.7.2: a style adds to the one it is based on). */
export class Styles {
  readonly #styles: ReadonlyMap<string, WordStyle>;
  readonly #defaults: ResolvedStyle;
  readonly #resolved = new Map<string, ResolvedStyle>();
  readonly #defaultIds = new Map<WordStyle['type'], string>();

  constructor({ styles, defaults }: Pick<WordDocumentJson, 'styles' | 'defaults'>) {
    this.#styles = new Map(styles.map((style) => [style.id, style]));
    this.#defaults = defaults;
    for (const { id, type, isDefault } of styles) {
      if (isDefault && !this.#defaultIds.has(type)) this.#defaultIds.set(type, id);
    }
  }

  get all(): readonly WordStyle[] {
    return [...this.#styles.values()];
  }

  style(id: string | null): WordStyle | undefined {
    return id === null ? undefined : this.#styles.get(id);
  }

  /** Id of the paragraph style that a paragraph has which names none, or one that does not exist. */
  paragraphStyleId(id: string | null): string | null {
    const named = this.style(id);
    return named?.type === 'paragraph' ? named.id : (this.#defaultIds.get('paragraph') ?? null);
  }

  /** Properties of a paragraph with this style and of the runs in it. */
  paragraph(id: string | null): ResolvedStyle {
    const styleId = this.paragraphStyleId(id);
    return styleId === null ? this.#defaults : this.#resolve(styleId, new Set());
  }

  /** What a character style says for itself, without the defaults. */
  character(id: string): RunProperties {
    const chain: RunProperties[] = [];
    const seen = new Set<string>();
    for (let style = this.style(id); style && !seen.has(style.id); style = this.style(style.basedOn)) {
      seen.add(style.id);
      chain.unshift(style.run);
    }
    return Object.assign({}, ...chain);
  }

  #resolve(id: string, seen: Set<string>): ResolvedStyle {
    const known = this.#resolved.get(id);
    if (known) return known;
    const style = this.#styles.get(id)!;
    seen.add(id);
    const hasBase = style.basedOn !== null && this.#styles.has(style.basedOn) && !seen.has(style.basedOn);
    const base = hasBase ? this.#resolve(style.basedOn!, seen) : this.#defaults;
    const resolved = {
      paragraph: { ...base.paragraph, ...style.paragraph },
      run: { ...base.run, ...style.run },
    };
    this.#resolved.set(id, resolved);
    return resolved;
  }
}

/** The level that a style's built-in name stands for (`heading 1` to `heading 9`, 17.7.4.9; the title is 1), or null. */
export function outlineLevel(name: string | undefined): number | null {
  if (name?.toLowerCase() === 'title') return 1;
  const level = /^heading ([1-9])$/i.exec(name ?? '')?.[1];
  return level === undefined ? null : Number(level);
}
