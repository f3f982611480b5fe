/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Part[];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const shown = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(shown).join('');
  return String(part).replace(/[&<>"]/g, (sign) => escapes[sign]!);
};

/** HTML with values in it, which are text unless they are HTML themselves. Attributes must be in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, at) => text + (at < parts.length ? shown(parts[at]!) : '')).join(''));
}

/** Data for a script of the page. Nothing in it ends the element or begins a comment. */
export function jsonForScript(id: string, value: unknown): Html {
  const text = JSON.stringify(value).replaceAll('<', '\\u003c');
  return new Html(`<script type="application/json" id="${id}">${text}</script>`);
}
