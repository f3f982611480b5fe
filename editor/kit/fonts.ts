interface FontFacts {
  /** Fonts of the same widths, which a machine without this one may have. */
  readonly like: readonly string[];
  readonly generic: 'serif' | 'sans-serif' | 'monospace' | 'cursive' | 'fantasy';
  /** Height of a line as a multiple of the size: ascent, descent and gap of the font. */
  readonly line: number;
}

const helvetica: FontFacts = {
  like: ['Liberation Sans', 'Arimo', 'Helvetica'],
  generic: 'sans-serif',
  line: 1.15,
};
const times: FontFacts = { like: ['Liberation Serif', 'Tinos', 'Times'], generic: 'serif', line: 1.15 };
const courier: FontFacts = {
  like: ['Liberation Mono', 'Cousine', 'Courier'],
  generic: 'monospace',
  line: 1.133,
};
const sans: FontFacts = { like: ['Noto Sans', 'DejaVu Sans'], generic: 'sans-serif', line: 1.2 };
const serif: FontFacts = { like: ['Noto Serif', 'DejaVu Serif'], generic: 'serif', line: 1.2 };
const mono: FontFacts = { like: ['Noto Sans Mono', 'DejaVu Sans Mono'], generic: 'monospace', line: 1.17 };

const known: ReadonlyMap<string, FontFacts> = new Map([
  ['calibri', { like: ['Carlito'], generic: 'sans-serif', line: 1.22 }],
  ['calibri light', { like: ['Carlito'], generic: 'sans-serif', line: 1.22 }],
  ['carlito', { like: ['Calibri'], generic: 'sans-serif', line: 1.22 }],
  ['cambria', { like: ['Caladea'], generic: 'serif', line: 1.172 }],
  ['caladea', { like: ['Cambria'], generic: 'serif', line: 1.172 }],
  ['aptos', { like: ['Carlito', 'Segoe UI', 'Noto Sans'], generic: 'sans-serif', line: 1.28 }],
  ['aptos display', { like: ['Carlito', 'Segoe UI', 'Noto Sans'], generic: 'sans-serif', line: 1.28 }],
  ['arial', helvetica],
  ['helvetica', helvetica],
  ['liberation sans', { ...helvetica, like: ['Arial', 'Arimo'] }],
  ['arial narrow', { like: ['Liberation Sans Narrow'], generic: 'sans-serif', line: 1.15 }],
  ['times new roman', times],
  ['times', times],
  ['liberation serif', { ...times, like: ['Times New Roman', 'Tinos'] }],
  ['courier new', courier],
  ['courier', courier],
  ['liberation mono', { ...courier, like: ['Courier New', 'Cousine'] }],
  ['consolas', mono],
  ['lucida console', mono],
  ['menlo', mono],
  ['georgia', { like: ['Gelasio', 'Noto Serif', 'DejaVu Serif'], generic: 'serif', line: 1.136 }],
  ['garamond', { like: ['EB Garamond', 'Liberation Serif'], generic: 'serif', line: 1.125 }],
  [
    'book antiqua',
    { like: ['Palatino Linotype', 'Palatino', 'TeX Gyre Pagella'], generic: 'serif', line: 1.2 },
  ],
  ['palatino linotype', { like: ['Palatino', 'TeX Gyre Pagella'], generic: 'serif', line: 1.35 }],
  ['century schoolbook', { like: ['TeX Gyre Schola'], generic: 'serif', line: 1.2 }],
  ['verdana', { like: ['DejaVu Sans'], generic: 'sans-serif', line: 1.215 }],
  ['tahoma', { like: ['DejaVu Sans Condensed', 'DejaVu Sans'], generic: 'sans-serif', line: 1.207 }],
  ['segoe ui', { like: ['Selawik', 'Noto Sans'], generic: 'sans-serif', line: 1.33 }],
  ['trebuchet ms', { like: ['Fira Sans'], generic: 'sans-serif', line: 1.161 }],
  ['comic sans ms', { like: ['Comic Neue'], generic: 'cursive', line: 1.394 }],
  ['impact', { like: ['Anton'], generic: 'sans-serif', line: 1.22 }],
]);

function factsOf(name: string): FontFacts {
  const lower = name.trim().toLowerCase();
  const facts = known.get(lower);
  if (facts) return facts;
  if (/mono|courier|console|typewriter|code/.test(lower)) return mono;
  if (/script|hand|brush/.test(lower)) return { ...sans, generic: 'cursive' };
  if (/sans|gothic|grotesk|helvet|arial|segoe|roboto|calibri|ui\b/.test(lower)) return sans;
  if (/serif|roman|mincho|song|garamond|bookman|century|antiqua|times|georgia/.test(lower)) return serif;
  return sans;
}

/** `font-family`: the font, fonts of equal widths, and a generic one. */
export function fontStack(name: string): string {
  const { like, generic } = factsOf(name);
  return [...[name.trim(), ...like].map(quoted), generic].join(', ');
}

/** Height of a single-spaced line as a multiple of the font's size. */
export function lineFactor(name: string): number {
  return factsOf(name).line;
}

/** A name of the file as a CSS string: it may hold anything. */
function quoted(name: string): string {
  return `"${name.replace(/["\\<>\u0000-\u001f]/g, (char) => `\\${char.charCodeAt(0).toString(16)} `)}"`;
}
