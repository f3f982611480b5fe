import { escapeXml } from './docx-blocks.ts';
import { columnName } from './xlsx-package.ts';

/** A chart of columns over a table: its first column has the categories, the others are series. */
interface ColumnChart {
  title: string;
  sheet: string;
  /** The row of the names of the series, from 0. */
  headerRow: number;
  names: readonly string[];
  rows: readonly (readonly [string, ...number[]])[];
  /** The cells that it lies over, from 0: its first corner, and the one after its last. */
  place: { from: readonly [row: number, column: number]; to: readonly [row: number, column: number] };
}

const drawingNamespaces = [
  'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
].join(' ');
const chartNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const chartNamespaces = [
  `xmlns:c="${chartNamespace}"`,
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
].join(' ');
const colours = ['1F3A5F', '5B8DB8', 'C9A227'];

/** The parts of a drawing that holds one chart. */
export function columnChart(chart: ColumnChart): { drawing: string; chart: string } {
  return { drawing: drawingXml(chart), chart: chartXml(chart) };
}

function drawingXml({ title, place: { from, to } }: ColumnChart): string {
  const corner = (tag: string, [row, column]: readonly [number, number]) =>
    `<xdr:${tag}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`;
  return (
    `<xdr:wsDr ${drawingNamespaces}><xdr:twoCellAnchor>${corner('from', from)}${corner('to', to)}` +
    `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1" descr="${escapeXml(title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
    `<a:graphic><a:graphicData uri="${chartNamespace}"><c:chart xmlns:c="${chartNamespace}" ` +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></a:graphicData></a:graphic>' +
    '</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>'
  );
}

function chartXml({ title, sheet, headerRow, names, rows }: ColumnChart): string {
  const cells = (column: number, first: number, last: number) => {
    const start = `${sheet}!$${columnName(column)}$${first + 1}`;
    return first === last ? start : `${start}:$${columnName(column)}$${last + 1}`;
  };
  const texts = (range: string, values: readonly string[]) =>
    `<c:strRef><c:f>${range}</c:f><c:strCache>${points(values)}</c:strCache></c:strRef>`;
  const [first, last] = [headerRow + 1, headerRow + rows.length];
  const categories = texts(
    cells(0, first, last),
    rows.map(([category]) => category),
  );
  const series = names.slice(1).map((name, at) => {
    const values = rows.map((row) => String(row[at + 1]));
    return (
      `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${texts(cells(at + 1, headerRow, headerRow), [name])}</c:tx>` +
      `<c:spPr><a:solidFill><a:srgbClr val="${colours[at % colours.length]}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>` +
      `<c:cat>${categories}</c:cat><c:val><c:numRef><c:f>${cells(at + 1, first, last)}</c:f>` +
      `<c:numCache><c:formatCode>#,##0</c:formatCode>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`
    );
  });
  const text = `<c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-GB" sz="1400"/><a:t>${escapeXml(title)}</a:t></a:r></a:p></c:rich></c:tx>`;
  const axis = '<c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>';
  return (
    `<c:chartSpace ${chartNamespaces}><c:chart><c:title>${text}<c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>` +
    `<c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series.join('')}` +
    '<c:gapWidth val="80"/><c:axId val="1"/><c:axId val="2"/></c:barChart>' +
    `<c:catAx><c:axId val="1"/>${axis}<c:axPos val="b"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="2"/><c:crosses val="autoZero"/></c:catAx>` +
    `<c:valAx><c:axId val="2"/>${axis}<c:axPos val="l"/><c:majorGridlines/><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1"/><c:crosses val="autoZero"/></c:valAx>` +
    '</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/></c:chart></c:chartSpace>'
  );
}

function points(values: readonly string[]): string {
  const all = values.map((value, at) => `<c:pt idx="${at}"><c:v>${escapeXml(value)}</c:v></c:pt>`);
  return `<c:ptCount val="${values.length}"/>${all.join('')}`;
}
