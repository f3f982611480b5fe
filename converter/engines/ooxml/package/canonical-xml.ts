import { corrupted } from '../../../errors.ts';
import { CanonicalPrefixes } from './canonical-prefixes.ts';
import { type Declaration, NamespaceScope } from './namespace-scope.ts';
import { canonicalPrefixOf, isCanonicalPrefix } from './namespaces.ts';
import { type Dialect, type FilePrefix, keyOf, restoredXml } from './restored-xml.ts';
import { nameWith, TAG_MARK, tagNames } from './tag-names.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
import type { XmlElement } from './xml-scanner.ts';
import { unescapeXml } from './xml-text.ts';

const DECLARATION = /\sxmlns(?::([^\s=<>"'/]+))?\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
/** Elements that go from place to place as a whole, with what they declare. */
const WHOLE = /<(?:(?!w:)|w:(?:drawing|pict|object)\b)/y;
/** What Word 2007 calls `mc`. */
const USUAL_ALIAS = 've';

/**
 * The form of a part that our code reads and writes: each namespace has one prefix in all of it, the one by which our
 * code knows it, so that a piece of the text means the same wherever it is put. Declarations below the root stay where
 * they are and mean nothing here.
 */
export class CanonicalXml {
  readonly text: string;
  readonly #prefixes: CanonicalPrefixes;
  readonly #dialects: Dialect[] = [];
  readonly #dialectIndex = new Map<string, number>();

  /**
   * The canonical form of a text; undefined for one that has that form.
   * @throws ConversionError corrupted for a text that it cannot be told from, limits
   */
  static of(text: string, root: XmlElement): CanonicalXml | undefined {
    return isCanonical(text, root) ? undefined : new CanonicalXml(text, root);
  }

  private constructor(text: string, root: XmlElement) {
    if (text.includes(TAG_MARK)) throw corrupted('XML: a character that XML cannot hold');
    const ofRoot = tagNames(text, root).declarations.map(({ declaration }) => declaration);
    const rootPrefix = root.name.slice(0, Math.max(0, root.name.indexOf(':')));
    const declared = [...declarationsIn(text)].map(({ declaration }) => declaration);
    this.#prefixes = new CanonicalPrefixes(declared, ofRoot, rootPrefix);
    this.text = applyEdits(text, this.#edits(text, root));
    if (this.restore(this.text) !== text) throw corrupted('XML: names that namespaces do not tell apart');
  }

  /**
   * A text of pieces of the canonical form, and of names that our code knows, with the prefixes that the file has for
   * them, or such as are bound to the right namespace at the place where they are now.
   */
  restore(text: string): string {
    return restoredXml(text, this.#prefixes, this.#dialects);
  }

  #edits(text: string, root: XmlElement): TextEdit[] {
    const edits: TextEdit[] = [];
    const scope = new NamespaceScope();
    const visit = (element: XmlElement): void => {
      const { names, declarations } = tagNames(text, element);
      const declared = declarations.map(({ declaration }) => declaration);
      scope.push(declared);
      const dialect = new Map<string, FilePrefix>();
      if (element === root) {
        for (const { declaration, start, end } of declarations) {
          const given = text.slice(start, end);
          const name = this.#nameOfDeclaration(declaration);
          if (name === given) continue;
          edits.push({ start, end, text: name });
          dialect.set(name, { prefix: given, isFixed: true });
        }
      }
      let elementName = element.name;
      for (const [index, name] of names.entries()) {
        const namespace = scope.namespaceOf(name.prefix);
        const prefix = namespace === undefined ? name.prefix : this.#prefixes.prefixOf(namespace)!;
        const canonical = { ...name, prefix };
        const canonicalName = nameWith(prefix, name.local);
        if (name.kind === 'element') elementName = canonicalName;
        if (prefix !== name.prefix) edits.push({ start: name.start, end: name.end, text: canonicalName });
        if (this.#prefixes.usual(canonical, scope) !== name.prefix)
          dialect.set(keyOf(canonical, index), { prefix: name.prefix, isFixed: namespace === undefined });
      }
      if (dialect.size > 0) {
        const at = element.attributesStart;
        edits.push({ start: at, end: at, text: ` ${TAG_MARK}="${this.#indexOf(dialect)}"` });
      }
      for (const child of element.children) visit(child);
      if (elementName !== element.name && !element.selfClosing) {
        const start = element.closeStart + 2;
        edits.push({ start, end: start + element.name.length, text: elementName });
      }
      scope.pop(declared);
    };
    visit(root);
    return edits;
  }

  #nameOfDeclaration(declaration: Declaration): string {
    const [prefix, namespace] = declaration;
    if (namespace === '') return prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    const isPrincipal = this.#prefixes.isPrincipal(declaration);
    return `xmlns:${isPrincipal ? this.#prefixes.prefixOf(namespace) : this.#prefixes.unused('q')}`;
  }

  #indexOf(dialect: Dialect): number {
    const key = JSON.stringify([...dialect]);
    const known = this.#dialectIndex.get(key);
    if (known !== undefined) return known;
    const index = this.#dialects.push(dialect) - 1;
    this.#dialectIndex.set(key, index);
    return index;
  }
}

interface FoundDeclaration {
  readonly declaration: Declaration;
  readonly start: number;
}

/** The declarations in a text, and what looks like one in its data. */
function* declarationsIn(text: string): Generator<FoundDeclaration> {
  for (const { 1: prefix = '', 2: double, 3: single, index } of text.matchAll(DECLARATION)) {
    yield { declaration: [prefix, unescapeXml(double ?? single ?? '')], start: index };
  }
}

/** True when no piece of the text depends on where it stands, and our code knows it by the prefixes that it has. */
function isCanonical(text: string, root: XmlElement): boolean {
  const ofRoot = new Map(tagNames(text, root).declarations.map(({ declaration }) => declaration));
  for (const { declaration, start } of declarationsIn(text)) {
    const [prefix, namespace] = declaration;
    const canonical = canonicalPrefixOf(namespace);
    const isKnownAs = canonical ?? (isCanonicalPrefix(prefix) ? undefined : prefix);
    if (isKnownAs !== prefix && prefix !== USUAL_ALIAS) return false;
    if (start < root.openEnd || ofRoot.get(prefix) === namespace) continue;
    WHOLE.lastIndex = text.lastIndexOf('<', start);
    if (!WHOLE.test(text)) return false;
  }
  return true;
}
