import { describe, expect, it } from 'vitest';
import { XmlDocument } from '../../package/xml-document.ts';
import { SHEET_PREFIXES, sheetVocabularyOf } from '../vocabulary.ts';
import { readChart } from './chart-reader.ts';
import { readLaterChart } from './later-chart.ts';
import { patchedChart } from './patched-chart.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documentOf = (name: string, inner: string) =>
  XmlDocument.canonical(
    `<${name} xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">${inner}</${name}>`,
    'utf-8',
    SHEET_PREFIXES,
  );
const chartOf = (plot: string, chart = '', space = '') =>
  readChart(
    documentOf('c:chartSpace', `<c:chart>${chart}<c:plotArea>${plot}</c:plotArea></c:chart>${space}`),
  )!;
const fill = (color: string) => `<a:solidFill>${color}</a:solidFill>`;
const series = (index: number, more = '') =>
  `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${more}<c:val><c:numRef><c:f>S!$B$${index + 1}:$D$${index + 1}</c:f></c:numRef></c:val></c:ser>`;
const axis = (kind: string, id: number, place: string, more = '') =>
  `<c:${kind}><c:axId val="${id}"/>${more}<c:axPos val="${place}"/></c:${kind}>`;
const ids = (...all: number[]) => all.map((id) => `<c:axId val="${id}"/>`).join('');

describe('charts of files', () => {
  it('[XG3] have the groups of series that they combine, with second axes, each with what its own axis says', () => {
    const chart = chartOf(
      `<c:barChart><c:barDir val="col"/><c:grouping val="stacked"/>${series(0)}<c:gapWidth val="50"/><c:overlap val="100"/>${ids(1, 2)}</c:barChart>` +
        `<c:lineChart><c:grouping val="standard"/>${series(1)}<c:marker val="1"/>${ids(3, 4)}</c:lineChart>` +
        axis('catAx', 1, 'b', '<c:majorGridlines/>') +
        axis(
          'valAx',
          2,
          'l',
          '<c:scaling><c:logBase val="10"/><c:orientation val="maxMin"/><c:max val="90"/></c:scaling><c:delete val="1"/>',
        ) +
        axis('catAx', 3, 'b', '<c:delete val="1"/>') +
        axis('valAx', 4, 'r', '<c:numFmt formatCode="0%" sourceLinked="0"/><c:crosses val="max"/>'),
    );
    expect(chart).toMatchObject({
      type: 'column',
      grouping: 'stacked',
      gapPercent: 50,
      overlapPercent: 100,
      maximum: 90,
      editable: false,
      axes: {
        category: { gridlines: true },
        value: { gridlines: false, logBase: 10, reversed: true, hidden: true },
        secondCategory: { hidden: true },
        secondValue: { format: '0%', crosses: 'max' },
      },
    });
    expect(chart.series[0]).toEqual({ values: 'S!$B$1:$D$1' });
    expect(chart.series[1]).toEqual({
      values: 'S!$B$2:$D$2',
      type: 'line',
      grouping: 'standard',
      secondAxis: true,
    });
  });

  it('[XS231] have the lines of their axes, and where marks stand at them', () => {
    const line = (fill: string) => `<c:spPr><a:ln w="19050">${fill}</a:ln></c:spPr>`;
    const { axes } = chartOf(
      `<c:barChart>${series(0)}${ids(1, 2)}</c:barChart>` +
        axis('catAx', 1, 'b', `<c:majorTickMark val="out"/>${line(fill('<a:srgbClr val="ff0000"/>'))}`) +
        axis('valAx', 2, 'l', `<c:majorTickMark val="none"/>${line('<a:noFill/>')}`),
    );
    expect(axes?.category).toMatchObject({ ticks: 'out', stroke: { color: { rgb: 'FF0000' }, width: 1.5 } });
    expect(axes?.value).toEqual({ gridlines: false, stroke: { width: 1.5, none: true } });
  });

  it('[XG3] of points have the axis that lies for what is across', () => {
    const points = `<c:scatterChart>${series(0)}${ids(7, 8)}</c:scatterChart>`;
    const across = axis('valAx', 8, 'b', '<c:scaling><c:min val="3"/></c:scaling>');
    const up = axis('valAx', 7, 'l', '<c:majorGridlines/><c:scaling><c:min val="5"/></c:scaling>');
    expect(chartOf(points + up + across)).toMatchObject({
      minimum: 5,
      axes: { category: { minimum: 3, gridlines: false } },
    });
  });

  it('[XG3] have the colours of series, lines, marks and points, also those of the theme that are lighter or darker', () => {
    const { series: all } = chartOf(
      `<c:lineChart>${series(
        0,
        `<c:spPr><a:ln w="25400">${fill('<a:schemeClr val="accent2"><a:lumMod val="60000"/><a:lumOff val="40000"/></a:schemeClr>')}<a:prstDash val="dash"/></a:ln></c:spPr><c:marker><c:symbol val="diamond"/><c:size val="9"/></c:marker>`,
      )}<c:marker val="1"/></c:lineChart><c:barChart><c:barDir val="bar"/>${series(
        1,
        `<c:spPr><a:noFill/></c:spPr><c:dPt><c:idx val="2"/><c:spPr>${fill('<a:srgbClr val="ff0000"/>')}</c:spPr></c:dPt>`,
      )}${series(2, `<c:spPr>${fill('<a:schemeClr val="tx1"><a:lumMod val="75000"/></a:schemeClr>')}</c:spPr>`)}</c:barChart>`,
    );
    expect(all).toMatchObject([
      {
        color: { theme: 5, tint: 0.4 },
        stroke: { width: 2, dash: 'dash' },
        marker: { symbol: 'diamond', size: 9 },
      },
      { type: 'bar', filled: false, points: [{ at: 2, color: { rgb: 'FF0000' } }] },
      { color: { theme: 1, tint: -0.25 } },
    ]);
  });

  it('[XG3] have labels of a series or of its group, and values as they were last with their format', () => {
    const shows = (names: string) =>
      [...names.split(' ').map((name) => `<c:show${name} val="1"/>`), '<c:showSerName val="0"/>'].join('');
    const { series: all } = chartOf(
      `<c:pieChart><c:ser><c:idx val="0"/><c:order val="0"/><c:cat><c:numRef><c:f>[1]S!A1:A2</c:f><c:numCache><c:formatCode>mmm</c:formatCode><c:pt idx="1"><c:v>40000</c:v></c:pt></c:numCache></c:numRef></c:cat></c:ser><c:dLbls><c:numFmt formatCode="0.0%" sourceLinked="0"/><c:dLblPos val="outEnd"/>${shows('CatName Percent')}</c:dLbls></c:pieChart>`,
    );
    expect(all).toEqual([
      {
        categories: '[1]S!A1:A2',
        labels: true,
        labelParts: ['category', 'percent'],
        labelPlace: 'outsideEnd',
        labelFormat: '0.0%',
        cached: { categories: [null, 40000] },
        cachedFormats: { categories: 'mmm' },
      },
    ]);
  });

  it('[XG3] have the title that they say, that of a cell, or that of their only series', () => {
    const one = `<c:barChart>${series(0)}</c:barChart>`;
    const words =
      '<c:title><c:tx><c:rich><a:p><a:r><a:t>Two</a:t></a:r><a:r><a:t> words</a:t></a:r></a:p><a:p><a:r><a:t>below</a:t></a:r></a:p></c:rich></c:tx></c:title>';
    expect(chartOf(one, words)).toMatchObject({ title: 'Two words\nbelow' });
    expect(chartOf(one, '<c:title/>')).toMatchObject({ title: null, autoTitle: true });
    expect(chartOf(one)).toMatchObject({ autoTitle: true });
    expect(chartOf(one, '<c:autoTitleDeleted val="1"/>').autoTitle).toBeUndefined();
    expect(chartOf(`<c:barChart>${series(0)}${series(1)}</c:barChart>`).autoTitle).toBeUndefined();
  });

  it('[XG3] keep every byte but the cells of titles that have moved', () => {
    const title = (place: string) =>
      `<c:title kept="1"><c:tx><c:strRef><c:f>${place}</c:f><c:strCache><c:pt idx="0"><c:v>Sum</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title>`;
    const inner = (place: string) =>
      `<c:chart>${title(place)}<c:plotArea><c:barChart>${series(0)}${ids(1, 2)}</c:barChart>${axis('catAx', 1, 'b')}${axis('valAx', 2, 'l', title(place))}</c:plotArea></c:chart>`;
    const xml = documentOf('c:chartSpace', inner('S!$A$1'));
    const before = readChart(xml)!;
    expect(before).toMatchObject({
      title: 'Sum',
      titleFormula: 'S!$A$1',
      valueTitle: 'Sum',
      axes: { value: { titleFormula: 'S!$A$1' } },
    });
    const after = {
      ...before,
      titleFormula: 'S!$A$2',
      axes: { ...before.axes, value: { ...before.axes!.value, titleFormula: 'S!$A$2' } },
    };
    const context = { vocabulary: sheetVocabularyOf(MAIN)!, valuesOf: () => undefined };
    expect(patchedChart(xml, before, after, context)).toBe(documentOf('c:chartSpace', inner('S!$A$2')).text);
  });

  it('[XS232] have gradients along a line, which stay in the file until a series gets another colour', () => {
    const stop = (at: number, color: string) => `<a:gs pos="${at}"><a:srgbClr val="${color}"/></a:gs>`;
    const stops = `<a:gsLst>${stop(0, 'FF0000')}${stop(40_000, '00FF00')}${stop(100_000, '0000FF')}</a:gsLst>`;
    const bars = (gradient: string) =>
      documentOf(
        'c:chartSpace',
        `<c:chart><c:plotArea><c:barChart>${series(0, `<c:spPr><a:gradFill>${stops}${gradient}</a:gradFill></c:spPr>`)}${ids(1, 2)}</c:barChart></c:plotArea></c:chart>`,
      );
    const xml = bars('<a:lin ang="5400000" scaled="0"/>');
    const before = readChart(xml)!;
    expect(before.series[0]).toMatchObject({
      color: { rgb: '00FF00' },
      gradient: { angle: 90, stops: [{ at: 0 }, { at: 0.4, color: { rgb: '00FF00' } }, { at: 1 }] },
    });
    expect(readChart(bars('<a:path path="circle"/>'))!.series[0]!.gradient).toBeUndefined();
    const context = { vocabulary: sheetVocabularyOf(MAIN)!, valuesOf: () => undefined };
    const written = (fields: object) =>
      patchedChart(xml, before, { ...before, series: [{ ...before.series[0]!, ...fields }] }, context);
    expect(written({ name: '"Sales"' })).toContain(stops);
    const other = written({ color: { rgb: '123456' } });
    expect([other.includes('gradFill'), other.includes('<a:srgbClr val="123456"')]).toEqual([false, true]);
  });

  it('[XG3] of kinds that came later are known by kind and title', () => {
    const xml = documentOf(
      'cx:chartSpace',
      '<cx:chart><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Steps</a:t></a:r></a:p></cx:rich></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"/></cx:plotAreaRegion></cx:plotArea></cx:chart>',
    );
    expect(readLaterChart(xml)).toEqual({ type: 'waterfall', title: 'Steps', series: [], editable: false });
    expect(readChart(xml)).toBeUndefined();
  });
});
