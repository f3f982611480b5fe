import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';
import { unescapeXml } from '../../converter/engines/ooxml/package/xml-text.ts';

/** What is looked for in a text document, in the order in which it is reported. */
export const featureNames = [
  'paragraphs',
  'styles',
  'headings',
  'lists',
  'tables',
  'links',
  'pictures',
  'notes',
  'headers and footers',
  'comments',
  'tracked changes',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** Everything of each kind that is in a document, named by its text. */
export type Features = Readonly<Record<FeatureName, readonly string[]>>;

/** Parts of a paragraph that are no text of it. */
const apart: ReadonlySet<string> = new Set([
  'text:note',
  'office:annotation',
  'office:annotation-end',
  'draw:frame',
  'draw:custom-shape',
  'office:binary-data',
]);
const blanks: ReadonlySet<string> = new Set(['text:s', 'text:tab', 'text:line-break']);

/**
 * What is in a flat OpenDocument file (OpenDocument 1.3 part 3), as LibreOffice writes it: a text; of a spreadsheet the cells
 * are paragraphs and the sheets tables.
 */
export function featuresOf(fodt: Uint8Array): Features {
  return new FlatReader(XmlDocument.parse(fodt)).features;
}

class FlatReader {
  readonly features: Record<FeatureName, string[]>;
  readonly #xml: XmlDocument;
  /** Names that people see, of styles that people can choose. */
  readonly #names = new Map<string, string>();
  /** What the automatic styles are based on. */
  readonly #parents = new Map<string, string>();

  constructor(xml: XmlDocument) {
    this.#xml = xml;
    this.features = Object.fromEntries(featureNames.map((name) => [name, [] as string[]])) as Record<
      FeatureName,
      string[]
    >;
    for (const style of this.#below(this.#part('office:styles'), 'style:style')) {
      const name = this.#attribute(style, 'style:name');
      this.#names.set(name, this.#attribute(style, 'style:display-name') || name);
    }
    for (const style of this.#below(this.#part('office:automatic-styles'), 'style:style')) {
      this.#parents.set(
        this.#attribute(style, 'style:name'),
        this.#attribute(style, 'style:parent-style-name'),
      );
    }
    const master = this.#part('office:master-styles');
    for (const kind of ['header', 'footer', 'header-left', 'footer-left', 'header-first', 'footer-first']) {
      for (const part of this.#below(master, `style:${kind}`))
        this.#add('headers and footers', this.#linesOf(part));
    }
    const body = this.#part('office:body')?.children[0];
    if (body) this.#read(body, 0);
  }

  #read(element: XmlElement, listDepth: number): void {
    for (const child of element.children) {
      switch (child.name) {
        case 'text:tracked-changes':
          for (const change of this.#below(child, 'text:changed-region')) {
            const kind = change.children[0];
            this.#add('tracked changes', `${kind?.name} ${kind ? this.#linesOf(kind) : ''}`);
          }
          break;
        case 'text:list':
          this.#read(child, listDepth + 1);
          break;
        case 'text:p':
        case 'text:h':
          this.#paragraph(child, listDepth);
          break;
        default:
          this.#special(child);
          this.#read(child, listDepth);
      }
    }
  }

  #paragraph(element: XmlElement, listDepth: number): void {
    const text = this.#textOf(element);
    if (text !== '') {
      this.#add('paragraphs', text);
      this.#add('styles', `${this.#styleOf(element)}: ${text}`);
      if (element.name === 'text:h')
        this.#add('headings', `${this.#attribute(element, 'text:outline-level')} ${text}`);
      if (listDepth > 0) this.#add('lists', `${listDepth} ${text}`);
    }
    this.#read(element, 0);
  }

  #special(element: XmlElement): void {
    switch (element.name) {
      case 'table:table': {
        const rows = this.#below(element, 'table:table-row').map((row) =>
          this.#below(row, 'table:table-cell').map((cell) => this.#linesOf(cell)),
        );
        this.#add('tables', JSON.stringify(rows));
        return;
      }
      case 'text:a':
        this.#add('links', `${this.#attribute(element, 'xlink:href')} ${this.#textOf(element)}`);
        return;
      case 'draw:image':
        this.#add('pictures', 'a picture');
        return;
      case 'text:note':
        this.#add('notes', `${this.#attribute(element, 'text:note-class')} ${this.#linesOf(element)}`);
        return;
      case 'office:annotation':
        this.#add('comments', this.#linesOf(element));
    }
  }

  #add(name: FeatureName, text: string): void {
    if (text !== '') this.features[name].push(text);
  }

  #styleOf(element: XmlElement): string {
    const name = this.#attribute(element, 'text:style-name');
    const style = this.#parents.get(name) ?? name;
    return this.#names.get(style) ?? style;
  }

  #linesOf(element: XmlElement): string {
    return element.children
      .flatMap((child) => {
        const isParagraph = child.name === 'text:p' || child.name === 'text:h';
        return isParagraph ? this.#textOf(child) : this.#linesOf(child);
      })
      .filter((line) => line !== '')
      .join('\n');
  }

  /** White space of any length is one blank, as people see it. */
  #textOf(element: XmlElement): string {
    return this.#rawTextOf(element).replace(/\s+/g, ' ').trim();
  }

  #rawTextOf(element: XmlElement): string {
    if (element.selfClosing) return '';
    let text = '';
    let end = element.openEnd;
    for (const child of element.children) {
      text += unescapeXml(this.#xml.text.slice(end, child.start));
      if (blanks.has(child.name)) text += ' ';
      else if (!apart.has(child.name)) text += this.#rawTextOf(child);
      end = child.end;
    }
    return text + unescapeXml(this.#xml.text.slice(end, element.closeStart));
  }

  #part(name: string): XmlElement | undefined {
    return this.#xml.child(this.#xml.root, name);
  }

  /** The nearest elements of a name below another. */
  #below(element: XmlElement | undefined, name: string): XmlElement[] {
    return (element?.children ?? []).flatMap((child) =>
      child.name === name ? [child] : this.#below(child, name),
    );
  }

  #attribute(element: XmlElement, name: string): string {
    return this.#xml.attribute(element, name) ?? '';
  }
}

/** How many of the first are among the second, each of which counts once. */
export function keptOf(wanted: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  }).length;
}

/** What was kept of each kind of thing, and of how many; `words` where a format holds nothing but text. */
export type Kept = Readonly<Partial<Record<FeatureName | 'words', readonly [kept: number, of: number]>>>;

/** Kinds by which a conversion is judged: names of styles are no content. */
const judged: readonly FeatureName[] = featureNames.filter((name) => name !== 'styles');

/** A kind of which there is less in all files together says too little. */
const leastCount = 5;

export function keptFeatures(source: Features, result: Features): Kept {
  return Object.fromEntries(
    judged.map((name) => [name, [keptOf(source[name], result[name]), source[name].length]]),
  );
}

/** How many words of the paragraphs of a source are in a text. */
export function keptWords(source: Features, text: string): Kept {
  const words = wordsOf(source.paragraphs.join('\n'));
  return { words: [keptOf(words, wordsOf(text)), words.length] };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The same with nothing kept: of a file that an engine does not convert. */
export const nothingKept = (kept: Kept): Kept =>
  Object.fromEntries(Object.entries(kept).map(([name, [, of]]) => [name, [0, of]]));

export function sumOf(files: readonly Kept[]): Kept {
  const sum = new Map<string, [kept: number, of: number]>();
  for (const [name, [kept, of]] of files.flatMap((file) => Object.entries(file))) {
    const [keptBefore, before] = sum.get(name) ?? [0, 0];
    sum.set(name, [keptBefore + kept, before + of]);
  }
  return Object.fromEntries(sum);
}

/**
 * The mean of the shares that are kept of each kind, 0 to 1, in each of which every file that has some counts the same; NaN where
 * there is nothing to judge by.
 */
export function scoreOf(files: readonly Kept[]): number {
  const kinds = Object.entries(sumOf(files)).filter(([, [, of]]) => of >= leastCount);
  return mean(
    kinds.map(([name]) => {
      const counts = files.map((file) => file[name as keyof Kept]!).filter(([, of]) => of > 0);
      return mean(counts.map(([kept, of]) => kept / of));
    }),
  );
}

const mean = (shares: readonly number[]) => shares.reduce((total, share) => total + share, 0) / shares.length;
