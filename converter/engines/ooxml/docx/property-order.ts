/**
 * Order of the children of `w:pPr` (CT_PPr, 17.3.1.26), `w:rPr` (EG_RPrBase, 17.3.2.28), `w:tblPr` (17.4.59), `w:tcPr`
 * (17.4.69), and of `w:trPr` (17.4.81), where only the tracked changes have a place.
 */
const PARAGRAPH = `pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd
tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd
snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment
textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange`;
const RUN = `rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid
vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang
eastAsianLayout specVanish oMath`;
const TABLE = `tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing
tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription tblPrChange`;
const ROW = `cnfStyle divId gridBefore gridAfter wBefore wAfter cantSplit trHeight tblHeader tblCellSpacing jc hidden ins
del trPrChange`;
const CELL = `cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark
headers cellIns cellDel cellMerge tcPrChange`;

export type PropertyOrder = ReadonlyMap<string, number>;

function orderOf(names: string): PropertyOrder {
  return new Map(names.split(/\s+/).map((name, index) => [`w:${name}`, index]));
}

export const PARAGRAPH_ORDER = orderOf(PARAGRAPH);
export const RUN_ORDER = orderOf(RUN);
export const TABLE_ORDER = orderOf(TABLE);
export const ROW_ORDER = orderOf(ROW);
export const CELL_ORDER = orderOf(CELL);

/** An element of a property list. */
export interface PropertyXml {
  readonly name: string;
  readonly xml: string;
}

/** The elements in the order of the schema; ones that it does not know (extensions) follow in the order given. */
export function inOrder(properties: readonly PropertyXml[], order: PropertyOrder): string {
  const last = order.size;
  return properties
    .toSorted((a, b) => (order.get(a.name) ?? last) - (order.get(b.name) ?? last))
    .map(({ xml }) => xml)
    .join('');
}
