import type { Layout } from '../../formats/conversion.ts';

/** Members of the filter data of a PDF export that put a text across every page. */
type PdfWatermark = Readonly<Record<string, string | number>>;

interface Run {
  readonly text?: unknown;
  readonly fill?: unknown;
  readonly [member: string]: unknown;
}

/** Members that place a box: a text in the middle of the page, which is what LibreOffice draws, needs none of them. */
const placing: ReadonlySet<string> = new Set(['width', 'height', 'margins', 'align', 'type', 'rotate']);
const placingParagraphs: ReadonlySet<string> = new Set(['align', 'linespacing', 'fill', 'runs']);
const writingRuns: ReadonlySet<string> = new Set(['text', 'fill', 'font-family', 'font-size', 'usedin']);
/** How far one sees through what LibreOffice draws. */
const TRANSPARENCY = 0.5;

/**
 * A watermark (integration API, 9.1) as LibreOffice can draw it: one line of text in one font and colour, half
 * transparent, in the middle of the page. Otherwise the names of what it cannot draw.
 */
export function pdfWatermark(watermark: Layout): { drawn: PdfWatermark } | { unable: readonly string[] } {
  const paragraphs = listOf(watermark.paragraphs);
  const runs = paragraphs.flatMap((paragraph) => listOf(paragraph.runs)) as readonly Run[];
  const run = runs[0];
  const isLine = runs.length === 1 && typeof run?.text === 'string' && !/[\r\n]|<%br%>/.test(run.text);
  const color = run?.fill === undefined ? undefined : colorOf(run.fill);
  const size = run && run['font-size'] !== undefined ? pointsOf(run['font-size']) : undefined;
  const unable = [
    ...unknownMembers(watermark, placing, ['paragraphs', 'transparent']),
    ...(watermark.type === undefined || watermark.type === 'rect' ? [] : ['type']),
    ...(watermark.transparent === undefined || watermark.transparent === TRANSPARENCY ? [] : ['transparent']),
    ...paragraphs.flatMap((paragraph) => unknownMembers(paragraph, placingParagraphs)),
    ...(isLine ? unknownMembers(run, writingRuns) : ['paragraphs']),
    ...(run?.fill !== undefined && color === undefined ? ['fill'] : []),
    ...(run?.['font-size'] !== undefined && size === undefined ? ['font-size'] : []),
  ];
  if (unable.length > 0 || !run) return { unable: [...new Set(unable)].map((name) => `watermark.${name}`) };
  const font = run['font-family'];
  return {
    drawn: {
      Watermark: run.text as string,
      WatermarkRotateAngle: angleOf(watermark.rotate),
      ...(color === undefined ? {} : { WatermarkColor: color }),
      ...(size === undefined ? {} : { WatermarkFontHeight: size }),
      ...(typeof font === 'string' ? { WatermarkFontName: font } : {}),
    },
  };
}

const listOf = (value: unknown): readonly Layout[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

/** Members that ask for something: one that says no asks for nothing. */
function unknownMembers(of: Layout, known: ReadonlySet<string>, others: readonly string[] = []): string[] {
  return Object.keys(of).filter(
    (name) => !known.has(name) && !others.includes(name) && of[name] !== false && of[name] !== null,
  );
}

/** Tenths of a degree against the clock; the API has degrees with the clock. */
function angleOf(rotate: unknown): number {
  const degrees = typeof rotate === 'number' ? -rotate : 0;
  return Math.round((((degrees % 360) + 360) % 360) * 10);
}

function colorOf(fill: unknown): number | undefined {
  if (!Array.isArray(fill) || fill.length !== 3) return undefined;
  const parts = fill as unknown[];
  if (!parts.every((part) => Number.isInteger(part) && (part as number) >= 0 && (part as number) <= 255))
    return undefined;
  const [red, green, blue] = parts as [number, number, number];
  return (red << 16) | (green << 8) | blue;
}

const PIXELS_TO_POINTS = 0.75;

function pointsOf(size: unknown): number | undefined {
  const parts = /^(\d{1,3}(?:\.\d+)?)(px|pt)?$/.exec(String(size));
  if (!parts) return undefined;
  return Math.max(1, Math.round(Number(parts[1]) * (parts[2] === 'px' ? PIXELS_TO_POINTS : 1)));
}
