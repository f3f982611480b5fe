import type { Chart } from '../../../../../model/cell/chart.ts';
import { chartOfKind, isChartType } from '../../../../../model/cell/chart-kinds.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import { SHEET_PREFIXES } from '../vocabulary.ts';
import { readChart } from './chart-reader.ts';
import { type PatchContext, patchedChart } from './patched-chart.ts';

const soft = (part: number) =>
  `<a:solidFill><a:schemeClr val="tx1"><a:lumMod val="${part}"/><a:lumOff val="${100_000 - part}"/></a:schemeClr></a:solidFill>`;

/** The text of a part for a chart that no file has: an empty one of bars, patched. */
export function newChartXml(chart: Chart, context: PatchContext): string {
  const { chart: main, drawing, relationships } = context.vocabulary;
  const empty = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="${main}" xmlns:a="${drawing}" xmlns:r="${relationships}"><c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/><c:areaChart><c:grouping val="standard"/><c:varyColors val="0"/></c:areaChart></c:plotArea><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:ln w="9525">${soft(15_000)}</a:ln></c:spPr><c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr>${soft(65_000)}</a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr></c:chartSpace>`;
  const xml = XmlDocument.canonical(empty, 'utf-8', SHEET_PREFIXES);
  const own = isChartType(chart.type) ? chart : chartOfKind(chart, 'column', chart.grouping);
  // All series of a new chart are of its kind.
  const series = own.series.map(({ type: _type, grouping: _grouping, secondAxis: _second, ...rest }) => rest);
  return patchedChart(xml, { ...readChart(xml)!, type: 'none' }, { ...own, series }, context);
}
