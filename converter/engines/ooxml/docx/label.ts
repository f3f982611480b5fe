import { unescapeXml } from '../package/xml-text.ts';

const LABEL_CHARS = 200;
/** Text of paragraphs, equations, drawings and text art; what stands for white space; and forms for old programs. */
const TEXT =
  /<(w|m|a):t(?:\s[^<>]*)?>(?<text>[^<]*)<\/\1:t>|<v:textpath\b[^<>]*\sstring="(?<art>[^"<>]*)"|<\/?mc:Fallback\b|<(?:\/w:p|\/a:p|w:tab|w:br|w:cr)\b/g;
const DESCRIPTION = /<wp:docPr\b[^<>]*\sdescr="([^"<>]+)"/;

/** A check box of a form (17.16.7) and its state, of which the one that somebody set counts. */
const CHECK_BOX = /<w:checkBox>([\s\S]*?)<\/w:checkBox>/;
const CHECKED = /<w:checked\b([^<>]*)>/;
const CHECKED_FIRST = /<w:default\b([^<>]*)>/;

/**
 * The text of a stretch of XML, shortened, to be shown in place of what the model does not hold, or else the
 * description of its drawing, or the state of its check box. A field's is its result, as instructions are no text;
 * what is there a second time for old programs is not said twice.
 */
export function labelOf(text: string, start: number, end: number): string {
  const source = text.slice(start, end);
  let label = '';
  let fallbacks = 0;
  for (const { 0: match, groups } of source.matchAll(TEXT)) {
    if (label.length > LABEL_CHARS) break;
    if (match.startsWith('<mc:')) fallbacks++;
    else if (match.startsWith('</mc:')) fallbacks--;
    else if (fallbacks === 0) label = tidy(label + unescapeXml(groups?.text ?? groups?.art ?? ' '));
  }
  const description = tidy(unescapeXml(DESCRIPTION.exec(source)?.[1] ?? '')).trim();
  return shortened(label.trim() || description || checkBoxOf(source));
}

function checkBoxOf(source: string): string {
  const [, box] = CHECK_BOX.exec(source) ?? [];
  if (box === undefined) return '';
  const [, attributes] = CHECKED.exec(box) ?? CHECKED_FIRST.exec(box) ?? [];
  const isChecked = attributes !== undefined && !/\bw:val\s*=\s*["'](?:0|false|off)["']/.test(attributes);
  return isChecked ? '\u2612' : '\u2610';
}

function tidy(label: string): string {
  return label.replace(/\s+/g, ' ');
}

function shortened(label: string): string {
  if (label.length <= LABEL_CHARS) return label;
  return `${label.slice(0, LABEL_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
