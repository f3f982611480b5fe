import { lastColumn, lastRow } from '../../../../model/cell/area.ts';
import { formatKey } from '../../../../model/cell/cell-format.ts';
import {
  type PageSetup,
  type SheetAct,
  type SheetProperties,
  type SheetProtection,
  sheetActs,
} from '../../../../model/cell/workbook.ts';
import { cellAddress } from '../../../../model/cell-address.ts';
import type { XmlAttributes, XmlDocument } from '../package/xml-document.ts';
import { attributesXml, escapeText, withAttributes } from '../package/xml-text.ts';
import type { PartEdits } from './part-edits.ts';
import { colorXml, isOn, numberOf, readColor, whole, within, withoutNothing } from './styles/format-xml.ts';

const flag = (value: string | undefined, unlessSaid = false): boolean =>
  value === undefined ? unlessSaid : isOn(value);
const whenOn = (value: boolean): true | undefined => value || undefined;

/** What a worksheet says of itself beside its content. @param said by the workbook */
export function readSheetProperties(
  xml: XmlDocument,
  said: Pick<SheetProperties, 'name' | 'state'>,
): SheetProperties {
  const { root } = xml;
  const of = (name: string): XmlAttributes => {
    const element = xml.child(root, name);
    return element ? xml.attributes(element) : {};
  };
  const properties = xml.child(root, 'sheetPr');
  const outline = xml.child(properties, 'outlinePr');
  const { summaryBelow, summaryRight } = outline ? xml.attributes(outline) : {};
  const view = xml.child(xml.child(root, 'sheetViews'), 'sheetView');
  const shown: XmlAttributes = view ? xml.attributes(view) : {};
  const { defaultRowHeight, defaultColWidth, baseColWidth } = of('sheetFormatPr');
  const baseWidth = numberOf(baseColWidth);
  return withoutNothing({
    ...said,
    color: readColor(xml, xml.child(properties, 'tabColor')),
    frozen: readFrozen(xml),
    hidesGridlines: whenOn(!flag(shown.showGridLines, true)),
    hidesHeadings: whenOn(!flag(shown.showRowColHeaders, true)),
    showsFormulas: whenOn(flag(shown.showFormulas)),
    hidesZeros: whenOn(!flag(shown.showZeros, true)),
    rightToLeft: whenOn(flag(shown.rightToLeft)),
    zoomPercent: numberOf(shown.zoomScale),
    rowHeight: numberOf(defaultRowHeight),
    columnWidth: numberOf(defaultColWidth) ?? (baseWidth === undefined ? undefined : baseWidth + 5 / 7),
    summaryAbove: whenOn(!flag(summaryBelow, true)),
    summaryLeft: whenOn(!flag(summaryRight, true)),
    protection: readProtection(of('sheetProtection')),
    page: readPage(xml),
  }) as SheetProperties;
}

function readFrozen(xml: XmlDocument): SheetProperties['frozen'] {
  const view = xml.child(xml.child(xml.root, 'sheetViews'), 'sheetView');
  const pane = xml.child(view, 'pane');
  if (!pane) return undefined;
  const { state, xSplit, ySplit } = xml.attributes(pane);
  if (state !== 'frozen' && state !== 'frozenSplit') return undefined;
  return { rows: Math.trunc(numberOf(ySplit) ?? 0), columns: Math.trunc(numberOf(xSplit) ?? 0) };
}

/** The attribute that forbids an act where it is on, and whether it is on where the file does not say. */
const ACTS: Readonly<Record<SheetAct, readonly [attribute: string, isForbidden: boolean]>> = {
  selectLocked: ['selectLockedCells', false],
  selectUnlocked: ['selectUnlockedCells', false],
  formatCells: ['formatCells', true],
  formatColumns: ['formatColumns', true],
  formatRows: ['formatRows', true],
  insertColumns: ['insertColumns', true],
  insertRows: ['insertRows', true],
  insertLinks: ['insertHyperlinks', true],
  deleteColumns: ['deleteColumns', true],
  deleteRows: ['deleteRows', true],
  sort: ['sort', true],
  filter: ['autoFilter', true],
  pivots: ['pivotTables', true],
  objects: ['objects', false],
  scenarios: ['scenarios', false],
};

function readProtection(given: XmlAttributes): SheetProtection | undefined {
  if (!flag(given.sheet)) return undefined;
  const allows = sheetActs.filter((act) => {
    const [attribute, isForbidden] = ACTS[act];
    return !flag(given[attribute], isForbidden);
  });
  const acts = new Set<string>(Object.values(ACTS).map(([attribute]) => attribute));
  const extra = Object.fromEntries(
    Object.entries(given).filter(([name]) => name !== 'sheet' && !acts.has(name)),
  );
  return Object.keys(extra).length > 0 ? { allows, extra } : { allows };
}

function protectionXml(protection: SheetProtection | undefined): string {
  if (!protection) return '';
  const attributes: Record<string, string | number | undefined> = {};
  for (const [name, value] of Object.entries(protection.extra ?? {}))
    if (typeof value === 'string' && /^[A-Za-z]+$/.test(name)) attributes[name] = value;
  attributes.sheet = 1;
  for (const act of sheetActs) {
    const [attribute, isForbidden] = ACTS[act];
    const forbids = !protection.allows.includes(act);
    if (forbids !== isForbidden) attributes[attribute] = forbids ? 1 : 0;
  }
  return `<sheetProtection${attributesXml(attributes)}/>`;
}

const MOST_INCHES = 48;
const MOST_PAPERS = 65_535;
const MOST_PAGES = 32_767;

/** Points that a row may be high. */
export const rowHeight = (points: number): number => within(points, 0, 409.5);
/** Characters that a column may be wide; null where nothing is said. */
export const columnWidth = (characters: number | undefined): number | null =>
  characters === undefined ? null : within(characters, 0, 255);

const MARGINS = ['left', 'right', 'top', 'bottom', 'header', 'footer'] as const;

function readPage(xml: XmlDocument): PageSetup | undefined {
  const child = (name: string) => xml.child(xml.root, name);
  const of = (name: string): XmlAttributes => {
    const element = child(name);
    return element ? xml.attributes(element) : {};
  };
  const { orientation, paperSize, scale, fitToWidth, fitToHeight } = of('pageSetup');
  const given = of('pageMargins');
  const margins = MARGINS.map((side) => [side, numberOf(given[side])] as const);
  const fits = xml.child(xml.child(xml.root, 'sheetPr'), 'pageSetUpPr');
  const isFitted = fits !== undefined && flag(xml.attribute(fits, 'fitToPage'));
  const options = of('printOptions');
  const texts = child('headerFooter');
  const textOf = (name: string) => {
    const element = texts && xml.child(texts, name);
    return element ? xml.content(element) || undefined : undefined;
  };
  const page = withoutNothing({
    orientation:
      orientation === 'landscape' ? 'landscape' : orientation === 'portrait' ? 'portrait' : undefined,
    paper: numberOf(paperSize),
    scalePercent: numberOf(scale),
    fitsTo: isFitted ? { width: numberOf(fitToWidth) ?? 1, height: numberOf(fitToHeight) ?? 1 } : undefined,
    margins: margins.every(([, size]) => size !== undefined) ? Object.fromEntries(margins) : undefined,
    gridlines: whenOn(flag(options.gridLines)),
    headings: whenOn(flag(options.headings)),
    centersHorizontally: whenOn(flag(options.horizontalCentered)),
    centersVertically: whenOn(flag(options.verticalCentered)),
    header: textOf('oddHeader'),
    footer: textOf('oddFooter'),
  }) as PageSetup;
  return Object.keys(page).length > 0 ? page : undefined;
}

/**
 * Writes what changed of a sheet beside its content. Its name and state are the workbook's.
 * @param formats further attributes of `sheetFormatPr` that are others now
 */
export function writeSheetProperties(
  edits: PartEdits,
  before: SheetProperties,
  after: SheetProperties,
  formats: Readonly<Record<string, number | null>> = {},
): void {
  const isChanged = (...names: (keyof SheetProperties)[]) =>
    names.some((name) => formatKey(before[name] ?? null) !== formatKey(after[name] ?? null));
  const isPageFitChanged = formatKey(before.page?.fitsTo ?? null) !== formatKey(after.page?.fitsTo ?? null);
  if (isChanged('color', 'summaryAbove', 'summaryLeft') || isPageFitChanged)
    writeSheetPr(edits, before, after);
  if (
    isChanged(
      ...(['frozen', 'hidesGridlines', 'hidesHeadings', 'showsFormulas', 'hidesZeros'] as const),
      ...(['rightToLeft', 'zoomPercent'] as const),
    )
  )
    writeView(edits, before, after);
  if (isChanged('rowHeight', 'columnWidth') || Object.keys(formats).length > 0) {
    const changes: Record<string, string | number | null> = { ...formats };
    if (isChanged('rowHeight')) {
      changes.defaultRowHeight = rowHeight(after.rowHeight ?? 15);
      changes.customHeight = after.rowHeight === undefined ? null : 1;
    }
    if (isChanged('columnWidth')) changes.defaultColWidth = columnWidth(after.columnWidth);
    const present = edits.xml.child(edits.xml.root, 'sheetFormatPr');
    const raw = present ? edits.xml.raw(present) : '<sheetFormatPr defaultRowHeight="15"/>';
    edits.setChild('sheetFormatPr', withAttributes(raw, changes));
  }
  if (isChanged('protection')) edits.setChild('sheetProtection', protectionXml(after.protection));
  if (isChanged('page')) writePage(edits, before.page ?? {}, after.page ?? {});
}

function writeSheetPr(edits: PartEdits, before: SheetProperties, after: SheetProperties): void {
  const { xml } = edits;
  const element = xml.child(xml.root, 'sheetPr');
  const parts = new Map((element?.children ?? []).map((child) => [child.name, xml.raw(child)]));
  const patch = (name: string, changes: Record<string, string | number | null>) =>
    parts.set(name, withAttributes(parts.get(name) ?? `<${name}/>`, changes));
  if (formatKey(before.color ?? null) !== formatKey(after.color ?? null)) {
    parts.delete('tabColor');
    if (after.color) parts.set('tabColor', colorXml('tabColor', after.color));
  }
  if (before.summaryAbove !== after.summaryAbove)
    patch('outlinePr', { summaryBelow: after.summaryAbove ? 0 : null });
  if (before.summaryLeft !== after.summaryLeft)
    patch('outlinePr', { summaryRight: after.summaryLeft ? 0 : null });
  const fits = Boolean(after.page?.fitsTo);
  if (Boolean(before.page?.fitsTo) !== fits) patch('pageSetUpPr', { fitToPage: fits ? 1 : null });
  const inner = ['tabColor', 'outlinePr', 'pageSetUpPr'].map((name) => parts.get(name) ?? '').join('');
  const tag = (element ? xml.openTag(element) : '<sheetPr>').replace(/\s*\/>$/, '>');
  edits.setChild('sheetPr', `${tag}${inner}</sheetPr>`);
}

function writeView(edits: PartEdits, before: SheetProperties, after: SheetProperties): void {
  const { xml } = edits;
  const views = xml.child(xml.root, 'sheetViews');
  const view = xml.child(views, 'sheetView');
  const raw = view ? xml.raw(view) : '<sheetView workbookViewId="0"/>';
  const zoom = after.zoomPercent === undefined ? null : whole(after.zoomPercent, 10, 400);
  let text = withAttributes(raw, {
    showGridLines: after.hidesGridlines ? 0 : null,
    showRowColHeaders: after.hidesHeadings ? 0 : null,
    showFormulas: after.showsFormulas ? 1 : null,
    showZeros: after.hidesZeros ? 0 : null,
    rightToLeft: after.rightToLeft ? 1 : null,
    zoomScale: zoom,
    ...(before.zoomPercent !== after.zoomPercent && { zoomScaleNormal: zoom }),
  });
  if (formatKey(before.frozen ?? null) !== formatKey(after.frozen ?? null)) {
    // Selections name panes that may be no more.
    const others = (view?.children ?? [])
      .filter(({ name }) => name !== 'pane' && name !== 'selection')
      .map((child) => xml.raw(child));
    const tag = (/^<(?:"[^"]*"|'[^']*'|[^>"'])*>/.exec(text)?.[0] ?? '<sheetView>').replace(/\s*\/>$/, '>');
    text = `${tag}${paneXml(after.frozen)}${others.join('')}</sheetView>`;
  }
  if (view) edits.replace(view, text);
  else edits.setChild('sheetViews', `<sheetViews>${text}</sheetViews>`);
}

function paneXml(frozen: SheetProperties['frozen']): string {
  const rows = Math.min(frozen?.rows ?? 0, lastRow);
  const columns = Math.min(frozen?.columns ?? 0, lastColumn);
  if (rows === 0 && columns === 0) return '';
  const pane = rows > 0 && columns > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight';
  const attributes = {
    xSplit: columns || undefined,
    ySplit: rows || undefined,
    topLeftCell: cellAddress(rows, columns),
    activePane: pane,
    state: 'frozen',
  };
  return `<pane${attributesXml(attributes)}/><selection pane="${pane}"/>`;
}

function writePage(edits: PartEdits, before: PageSetup, after: PageSetup): void {
  const { xml } = edits;
  const isChanged = (...names: (keyof PageSetup)[]) =>
    names.some((name) => formatKey(before[name] ?? null) !== formatKey(after[name] ?? null));
  const patch = (name: string, fresh: string, changes: Record<string, string | number | null>) => {
    const present = xml.child(xml.root, name);
    edits.setChild(name, withAttributes(present ? xml.raw(present) : fresh, changes));
  };
  if (isChanged('gridlines', 'headings', 'centersHorizontally', 'centersVertically'))
    patch('printOptions', '<printOptions/>', {
      horizontalCentered: after.centersHorizontally ? 1 : null,
      verticalCentered: after.centersVertically ? 1 : null,
      headings: after.headings ? 1 : null,
      gridLines: after.gridlines ? 1 : null,
    });
  const { margins } = after;
  if (isChanged('margins') && margins)
    patch(
      'pageMargins',
      '<pageMargins/>',
      Object.fromEntries(MARGINS.map((side) => [side, within(margins[side], 0, MOST_INCHES)])),
    );
  else if (isChanged('margins')) edits.setChild('pageMargins', '');
  if (isChanged('orientation', 'paper', 'scalePercent', 'fitsTo'))
    patch('pageSetup', '<pageSetup/>', {
      paperSize: after.paper === undefined ? null : whole(after.paper, 0, MOST_PAPERS),
      scale: after.scalePercent === undefined ? null : whole(after.scalePercent, 10, 400),
      ...(isChanged('fitsTo') && {
        fitToWidth: after.fitsTo ? whole(after.fitsTo.width, 0, MOST_PAGES) : null,
        fitToHeight: after.fitsTo ? whole(after.fitsTo.height, 0, MOST_PAGES) : null,
      }),
      orientation: after.orientation ?? null,
    });
  if (!isChanged('header', 'footer')) return;
  const present = xml.child(xml.root, 'headerFooter');
  const parts = new Map((present?.children ?? []).map((child) => [child.name, xml.raw(child)]));
  for (const [name, text] of [
    ['oddHeader', after.header],
    ['oddFooter', after.footer],
  ] as const) {
    if (text === undefined || text === '') parts.delete(name);
    else parts.set(name, `<${name}>${escapeText(text)}</${name}>`);
  }
  const order = ['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter'];
  const inner = order.map((name) => parts.get(name) ?? '').join('');
  const tag = (present ? xml.openTag(present) : '<headerFooter>').replace(/\s*\/>$/, '>');
  edits.setChild('headerFooter', inner === '' ? '' : `${tag}${inner}</headerFooter>`);
}
