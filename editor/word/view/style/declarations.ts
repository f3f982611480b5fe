/** CSS declarations by property name. */
export type Declarations = Record<string, string>;

export function cssText(declarations: Declarations): string {
  return Object.entries(declarations)
    .map(([property, value]) => `${property}: ${value};`)
    .join(' ');
}

/** One rule, or nothing when it would say nothing. */
export function cssRule(selector: string, declarations: Declarations): string {
  const text = cssText(declarations);
  return text === '' ? '' : `${selector} { ${text} }\n`;
}

/** A class for an id of the file, which may hold any character: those beyond letters, digits and `-` are coded. */
export function className(prefix: 's' | 'c' | 't' | 'l' | 'i', id: string): string {
  const safe = id.replace(/[^A-Za-z0-9-]/gu, (char) => `_${char.codePointAt(0)!.toString(16)}_`);
  return `${prefix}-${safe}`;
}
