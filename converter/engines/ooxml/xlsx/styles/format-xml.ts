import type {
  Alignment,
  BorderLine,
  Borders,
  CellProtection,
  Color,
  Fill,
  Font,
  GradientStop,
} from '../../../../../model/cell/cell-format.ts';
import type { XmlAttributes, XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml } from '../../package/xml-text.ts';

/** Whether an on/off value means yes (22.9.2.1, ST_Boolean); an element without one does. */
export const isOn = (value: string | undefined): boolean =>
  value === undefined || /^(?:1|true|on)$/.test(value);

export const numberOf = (value: string | undefined): number | undefined => {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
};

/** A whole number that a file may have: programs repair one beyond, and leave out what says it. */
export const whole = (value: number, least: number, most: number): number =>
  Math.round(within(value, least, most));

/** The same for any number. */
export const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

export function readColor(xml: XmlDocument, element: XmlElement | undefined): Color | undefined {
  if (!element) return undefined;
  const { rgb, theme, indexed, auto, tint } = xml.attributes(element);
  const shade = numberOf(tint);
  const more = shade === undefined || shade === 0 ? {} : { tint: shade };
  // `AARRGGBB`, of which programs do not look at the first two.
  if (rgb !== undefined && /^[0-9A-Fa-f]{6,8}$/.test(rgb))
    return { rgb: rgb.slice(-6).toUpperCase(), ...more };
  const [themeIndex, index] = [numberOf(theme), numberOf(indexed)];
  if (themeIndex !== undefined) return { theme: themeIndex, ...more };
  if (index !== undefined) return index === 64 || index === 65 ? { auto: true } : { indexed: index, ...more };
  return auto !== undefined && isOn(auto) ? { auto: true } : undefined;
}

/** Colours of a theme, or of the palette of old. */
const MOST_PLACES = 255;

export function colorXml(name: string, color: Color | undefined): string {
  if (!color) return '';
  const { rgb, theme, indexed, auto, tint } = color;
  const kind =
    rgb !== undefined
      ? { rgb: `FF${rgb}` }
      : theme !== undefined
        ? { theme: whole(theme, 0, MOST_PLACES) }
        : indexed !== undefined
          ? { indexed: whole(indexed, 0, MOST_PLACES) }
          : { auto: auto ? 1 : undefined };
  const shade = tint === undefined ? undefined : within(tint, -1, 1);
  return `<${name}${attributesXml({ ...kind, tint: shade })}/>`;
}

const UNDERLINES = ['single', 'double', 'singleAccounting', 'doubleAccounting'] as const;

/** A font, or the properties of a run, whose font name is `rFont`. */
export function readFont(xml: XmlDocument, element: XmlElement): Font {
  const font: { -readonly [Name in keyof Font]: Font[Name] } = {};
  for (const child of element.children) {
    const { val } = xml.attributes(child);
    switch (child.name) {
      case 'name':
      case 'rFont':
        if (val) font.name = val;
        break;
      case 'sz':
        font.size = numberOf(val);
        break;
      case 'b':
        font.bold = isOn(val);
        break;
      case 'i':
        font.italic = isOn(val);
        break;
      case 'strike':
        font.strike = isOn(val);
        break;
      case 'u':
        font.underline = val === 'none' ? undefined : (UNDERLINES.find((name) => name === val) ?? 'single');
        break;
      case 'color':
        font.color = readColor(xml, child);
        break;
      case 'vertAlign':
        font.vertical = val === 'superscript' || val === 'subscript' ? val : undefined;
        break;
      case 'scheme':
        font.scheme = val === 'major' || val === 'minor' ? val : undefined;
    }
  }
  return withoutNothing(font);
}

/** The order in which Office writes what a font has, and older programs want it. */
const FONT_ORDER = [
  ...['b', 'i', 'strike', 'condense', 'extend', 'outline', 'shadow', 'u', 'vertAlign', 'sz', 'color'],
  ...['rFont', 'name', 'family', 'charset', 'scheme'],
];

/** Of letters, as of rows. */
const MOST_POINTS = 409;

interface FontBase {
  readonly xml: XmlDocument;
  readonly element: XmlElement;
}

/**
 * What a font element holds.
 * @param nameElement `name`, or `rFont` in a run
 * @param base the font it was made from, for what the model does not hold
 */
export function fontXml(font: Font, nameElement: 'name' | 'rFont', base?: FontBase): string {
  const parts = new Map<string, string>();
  for (const child of base?.element.children ?? []) parts.set(child.name, base!.xml.raw(child));
  const before = base ? readFont(base.xml, base.element) : {};
  const set = (property: keyof Font, name: string, xml: string) => {
    if (base && JSON.stringify(font[property]) === JSON.stringify(before[property])) return;
    if (xml === '') parts.delete(name);
    else parts.set(name, xml);
  };
  const value = (name: string, val: string | number | undefined) =>
    val === undefined ? '' : `<${name}${attributesXml({ val })}/>`;
  // What a conditional format takes away is said, too.
  const flag = (name: string, isOn: boolean | undefined) =>
    isOn === undefined ? '' : isOn ? `<${name}/>` : `<${name} val="0"/>`;
  set('bold', 'b', flag('b', font.bold));
  set('italic', 'i', flag('i', font.italic));
  set('strike', 'strike', flag('strike', font.strike));
  set('underline', 'u', font.underline === 'single' ? '<u/>' : value('u', font.underline));
  set('vertical', 'vertAlign', value('vertAlign', font.vertical));
  set('size', 'sz', value('sz', font.size === undefined ? undefined : within(font.size, 1, MOST_POINTS)));
  set('color', 'color', colorXml('color', font.color));
  set('name', nameElement, value(nameElement, font.name));
  set('scheme', 'scheme', value('scheme', font.scheme));
  if (base && font.name !== before.name) {
    // They are of the other typeface.
    parts.delete('family');
    parts.delete('charset');
    if (font.scheme === before.scheme) parts.delete('scheme');
  }
  const place = (name: string) => (FONT_ORDER.indexOf(name) + 1 || 100) - 1;
  return [...parts]
    .sort(([one], [other]) => place(one) - place(other))
    .map(([, xml]) => xml)
    .join('');
}

/** Undefined for none. @param isDifference in a differential format the colour of a solid fill is its background */
export function readFill(
  xml: XmlDocument,
  element: XmlElement | undefined,
  isDifference = false,
): Fill | undefined {
  const [kind] = element?.children ?? [];
  if (!kind) return undefined;
  if (kind.name === 'gradientFill') return readGradient(xml, kind);
  if (kind.name !== 'patternFill') return undefined;
  const pattern = xml.attribute(kind, 'patternType') ?? (isDifference ? 'solid' : 'none');
  if (pattern === 'none') return undefined;
  const color = readColor(xml, xml.child(kind, 'fgColor'));
  const background = readColor(xml, xml.child(kind, 'bgColor'));
  if (pattern !== 'solid') return withoutNothing({ pattern, color, background });
  return withoutNothing({ pattern, color: isDifference ? (background ?? color) : color });
}

function readGradient(xml: XmlDocument, element: XmlElement): Fill {
  const stops: GradientStop[] = [];
  for (const stop of element.children) {
    const color = readColor(xml, xml.child(stop, 'color'));
    const at = numberOf(xml.attribute(stop, 'position'));
    if (stop.name === 'stop' && color && at !== undefined) stops.push({ at, color });
  }
  const degree = numberOf(xml.attribute(element, 'degree'));
  return { gradient: degree === undefined ? { stops } : { degree, stops } };
}

/** The patterns that there are (18.18.55). */
const PATTERNS: readonly string[] = [
  ...['none', 'solid', 'mediumGray', 'darkGray', 'lightGray', 'gray125', 'gray0625'],
  ...['darkHorizontal', 'darkVertical', 'darkDown', 'darkUp', 'darkGrid', 'darkTrellis'],
  ...['lightHorizontal', 'lightVertical', 'lightDown', 'lightUp', 'lightGrid', 'lightTrellis'],
];

export function fillXml(fill: Fill | undefined, isDifference = false): string {
  if (!fill) return '<fill><patternFill patternType="none"/></fill>';
  if (fill.gradient) {
    const stops = fill.gradient.stops.map(
      ({ at, color }) =>
        `<stop${attributesXml({ position: within(at, 0, 1) })}>${colorXml('color', color)}</stop>`,
    );
    return `<fill><gradientFill${attributesXml({ degree: fill.gradient.degree })}>${stops.join('')}</gradientFill></fill>`;
  }
  const pattern = PATTERNS.find((name) => name === fill.pattern) ?? 'solid';
  const isSolid = pattern === 'solid';
  const colors =
    isDifference && isSolid
      ? colorXml('bgColor', fill.color)
      : colorXml('fgColor', fill.color) + colorXml('bgColor', isSolid ? { indexed: 64 } : fill.background);
  return `<fill><patternFill${attributesXml({ patternType: pattern })}>${colors}</patternFill></fill>`;
}

const SIDES = ['left', 'right', 'top', 'bottom', 'diagonal'] as const;
/** What strict files may call the sides. */
const SIDE_NAMES: ReadonlyMap<string, (typeof SIDES)[number]> = new Map(
  Object.entries<(typeof SIDES)[number]>({ start: 'left', end: 'right' }),
);

export function readBorders(xml: XmlDocument, element: XmlElement | undefined): Borders | undefined {
  if (!element) return undefined;
  const borders: { -readonly [Name in keyof Borders]: Borders[Name] } = {};
  for (const child of element.children) {
    const side = SIDE_NAMES.get(child.name) ?? SIDES.find((name) => name === child.name);
    const style = xml.attribute(child, 'style');
    if (!side || style === undefined || style === 'none') continue;
    const color = readColor(xml, xml.child(child, 'color'));
    borders[side] = color ? { style, color } : { style };
  }
  const { diagonalUp, diagonalDown } = xml.attributes(element);
  if (diagonalUp !== undefined && isOn(diagonalUp)) borders.diagonalUp = true;
  if (diagonalDown !== undefined && isOn(diagonalDown)) borders.diagonalDown = true;
  return Object.keys(borders).length > 0 ? borders : undefined;
}

/** The lines that there are (18.18.3). */
const LINES: readonly string[] = [
  ...['none', 'thin', 'medium', 'dashed', 'dotted', 'thick', 'double', 'hair', 'mediumDashed'],
  ...['dashDot', 'mediumDashDot', 'dashDotDot', 'mediumDashDotDot', 'slantDashDot'],
];

export function bordersXml(borders: Borders | undefined): string {
  const line = (name: (typeof SIDES)[number]) => {
    const given: BorderLine | undefined = borders?.[name];
    if (!given) return `<${name}/>`;
    const color = colorXml('color', given.color);
    const style = LINES.find((known) => known === given.style) ?? 'thin';
    const tag = `${name}${attributesXml({ style })}`;
    return color === '' ? `<${tag}/>` : `<${tag}>${color}</${name}>`;
  };
  const diagonals = attributesXml({
    diagonalUp: borders?.diagonalUp ? 1 : undefined,
    diagonalDown: borders?.diagonalDown ? 1 : undefined,
  });
  return `<border${diagonals}>${SIDES.map(line).join('')}</border>`;
}

const HORIZONTALS = [
  'left',
  'center',
  'right',
  'fill',
  'justify',
  'centerContinuous',
  'distributed',
] as const;
const VERTICALS = ['top', 'center', 'bottom', 'justify', 'distributed'] as const;

export function readAlignment({
  horizontal,
  vertical,
  wrapText,
  shrinkToFit,
  indent,
  textRotation,
  readingOrder,
}: XmlAttributes): Alignment | undefined {
  const order = numberOf(readingOrder);
  const alignment = withoutNothing({
    horizontal: HORIZONTALS.find((name) => name === horizontal),
    vertical: VERTICALS.find((name) => name === vertical),
    wrap: (wrapText !== undefined && isOn(wrapText)) || undefined,
    shrink: (shrinkToFit !== undefined && isOn(shrinkToFit)) || undefined,
    indent: numberOf(indent) || undefined,
    rotation: numberOf(textRotation) || undefined,
    readingOrder: order === 1 || order === 2 ? (order as 1 | 2) : undefined,
  });
  return Object.keys(alignment).length > 0 ? alignment : undefined;
}

/** Letters beneath each other. */
const UPRIGHT = 255;

/** The attributes that an alignment has, null for those it has not. */
export function alignmentAttributes(
  alignment: Alignment | undefined,
): Record<string, string | number | null> {
  const { horizontal, vertical, wrap, shrink, indent, rotation, readingOrder } = alignment ?? {};
  return {
    horizontal: horizontal ?? null,
    vertical: vertical ?? null,
    textRotation:
      rotation === undefined || rotation === UPRIGHT ? (rotation ?? null) : whole(rotation, 0, 180),
    wrapText: wrap ? 1 : null,
    indent: indent === undefined ? null : whole(indent, 0, 250),
    shrinkToFit: shrink ? 1 : null,
    readingOrder: readingOrder ?? null,
  };
}

export function readProtection({ locked, hidden }: XmlAttributes): CellProtection | undefined {
  const protection = withoutNothing({
    locked: locked !== undefined && !isOn(locked) ? false : undefined,
    hidden: (hidden !== undefined && isOn(hidden)) || undefined,
  });
  return Object.keys(protection).length > 0 ? protection : undefined;
}

/** A value without properties that are undefined. */
export function withoutNothing<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}
