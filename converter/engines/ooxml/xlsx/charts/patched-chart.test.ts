import { describe, expect, it } from 'vitest';
import type { Chart } from '../../../../../model/cell/chart.ts';
import { type ChartChange, changedChart, seriesNumbers } from '../../../../../model/cell/chart-change.ts';
import { chartTypes, groupingsOf, isRound, labelPlacesOf } from '../../../../../model/cell/chart-kinds.ts';
import { randomChartChange } from '../../../../../model/cell/testing/random-chart-changes.ts';
import { randomOf } from '../../../../../model/cell/testing/random-operations.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { SHEET_PREFIXES, sheetVocabularyOf } from '../vocabulary.ts';
import { readChart } from './chart-reader.ts';
import * as orders from './element-order.ts';
import { newChartXml } from './new-chart.ts';
import { patchedChart } from './patched-chart.ts';

const context = {
  vocabulary: sheetVocabularyOf('http://schemas.openxmlformats.org/spreadsheetml/2006/main')!,
  valuesOf: () => [1, 2, 3],
};
const parsed = (text: string) => XmlDocument.canonical(text, 'utf-8', SHEET_PREFIXES);

const kept = {
  trend: '<c:trendline><c:trendlineType val="linear"/></c:trendline>',
  bars: '<c:errBars><c:errDir val="y"/><c:errBarType val="both"/><c:errValType val="stdErr"/></c:errBars>',
  look: '<c:txPr><a:bodyPr rot="-60000000"/><a:p><a:endParaRPr lang="en-US"/></a:p></c:txPr>',
  extension: '<c:extLst><c:ext uri="{1}"><x:own xmlns:x="urn:x">kept</x:own></c:ext></c:extLst>',
};
const series = (at: number, more = '') =>
  `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx><c:strRef><c:f>S!$${'BCD'[at]}$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>N${at}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:spPr><a:solidFill><a:schemeClr val="accent${at + 1}"/></a:solidFill><a:effectLst/></c:spPr><c:invertIfNegative val="0"/>${more}<c:cat><c:strRef><c:f>S!$A$2:$A$4</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>S!$${'BCD'[at]}$2:$${'BCD'[at]}$4</c:f><c:numCache><c:formatCode>0.0</c:formatCode><c:ptCount val="3"/><c:pt idx="0"><c:v>4</c:v></c:pt></c:numCache></c:numRef></c:val>${kept.extension}</c:ser>`;
const file = parsed(`<?xml version="1.0"?>
<c:chartSpace xmlns:c="${context.vocabulary.chart}" xmlns:a="${context.vocabulary.drawing}"><c:roundedCorners val="0"/>
 <c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1800"/></a:pPr><a:r><a:rPr lang="de" sz="1800" i="1"/><a:t>Old</a:t></a:r></a:p></c:rich></c:tx><c:layout/><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>
 <c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series(0, kept.trend + kept.bars)}${series(1)}${series(2, '<c:dLbls><c:dLblPos val="outEnd"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>')}<c:gapWidth val="80"/><c:axId val="11"/><c:axId val="12"/></c:barChart><c:catAx><c:axId val="11"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:numFmt formatCode="General" sourceLinked="1"/><c:tickLblPos val="low"/>${kept.look}<c:crossAx val="12"/><c:crosses val="autoZero"/><c:auto val="1"/></c:catAx><c:valAx><c:axId val="12"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines/><c:numFmt formatCode="General" sourceLinked="1"/><c:crossAx val="11"/><c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx></c:plotArea><c:legend><c:legendPos val="r"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/></c:chart>${kept.look}${kept.extension}</c:chartSpace>`);
const opened = readChart(file)!;

/** What a file says of a chart, without values that it had last and what only other kinds show. */
function told({ axes, ...chart }: Chart): unknown {
  const { categoryTitle, valueTitle, valueFormat, minimum, maximum, autoTitle, ...rest } = chart;
  const lines = Object.entries(axes ?? {}).flatMap(
    ([name, { stroke: _stroke, labels: _labels, gridlines, ...axis }]) => {
      const isUsual = gridlines === (name === 'value' || chart.type === 'scatter');
      const said = { ...axis, ...(gridlines !== undefined && !isUsual && { gridlines }) };
      return Object.keys(said).length > 0 ? [[name, said] as const] : [];
    },
  );
  const shown = isRound(chart.type)
    ? {}
    : { axes: Object.fromEntries(lines), categoryTitle, valueTitle, valueFormat, minimum, maximum };
  const bare = rest.series.map(({ cached: _values, cachedFormats: _formats, ...one }) => {
    const { labels, labelParts, labelPlace, labelFormat, ...plain } = one;
    if (!labels) return plain;
    return { ...plain, labels, labelParts: labelParts?.toSorted(), labelPlace, labelFormat };
  });
  const said = { ...rest, ...shown, series: bare, legend: chart.legend ?? null };
  return JSON.parse(JSON.stringify({ ...said, ...(bare.length === 1 && autoTitle ? { autoTitle } : {}) }));
}

const lists: Readonly<Record<string, readonly string[]>> = {
  'c:chartSpace': orders.SPACE_ORDER,
  'c:chart': orders.CHART_ORDER,
  'c:ser': orders.SERIES_ORDER,
  'c:dPt': orders.POINT_ORDER,
  'c:marker': orders.MARKER_ORDER,
  'c:dLbls': orders.LABELS_ORDER,
  'c:scaling': orders.SCALING_ORDER,
  'c:legend': orders.LEGEND_ORDER,
  'c:title': orders.TITLE_ORDER,
  'c:spPr': orders.PROPERTIES_ORDER,
  'a:ln': orders.LINE_ORDER,
};
const orderOf = (name: string) =>
  lists[name] ?? (/Chart$/.test(name) ? orders.GROUP_ORDER : /Ax$/.test(name) ? orders.AXIS_ORDER : null);

/** That the children of every element are in the order of the schema, and each once that may be there once. */
function expectInOrder(element: XmlElement): void {
  const order = orderOf(element.name);
  if (order) {
    const ranks = element.children.map(({ name }) => order.indexOf(name));
    expect(ranks, `${element.name}: ${element.children.map(({ name }) => name)}`).not.toContain(-1);
    expect(ranks, element.name).toEqual(ranks.toSorted((one, other) => one - other));
  }
  for (const child of element.children) expectInOrder(child);
}

/** What Excel repairs: places of labels that a kind does not have, axes that nobody has. */
function expectSound(xml: XmlDocument, chart: Chart): void {
  expectInOrder(xml.root);
  const places = [...xml.text.matchAll(/<c:dLblPos val="(\w+)"/g)].map(([, place]) => place);
  const allowed = labelPlacesOf(chart.type, chart.grouping, chart.solid);
  if (allowed.length === 0) expect(places).toEqual([]);
  const ids = [...xml.text.matchAll(/<c:axId val="(\d+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(isRound(chart.type) ? 0 : 4);
  expect(new Set(ids).size).toBe(isRound(chart.type) ? 0 : 2);
  for (const [, id] of xml.text.matchAll(/<c:crossAx val="(\d+)"/g)) expect(ids).toContain(id);
  const numbers = [...xml.text.matchAll(/<c:idx val="(\d+)"\/><c:order/g)].map(([, number]) => number);
  expect(new Set(numbers).size).toBe(chart.series.length);
}

function patched(change: ChartChange, xml = file, before = opened) {
  const after = changedChart(before, change)!;
  expect(after).not.toBeNull();
  const next = parsed(patchedChart(xml, before, after, context));
  expectSound(next, after);
  expect(told(readChart(next)!)).toEqual(told(after));
  return { xml: next, after, text: next.text };
}

/** The lines of two texts that differ, of texts that are broken before each element. */
const differences = (one: string, other: string) => {
  const lines = (text: string) => text.split(/(?=<)/);
  const known = new Set(lines(one));
  return lines(other).filter((line) => !known.has(line));
};

describe('a changed chart is written into its part', () => {
  it('[XE40] of which everything stays byte for byte that did not change', () => {
    expect(patchedChart(file, opened, opened, context)).toBe(file.text);
    const { text } = patched({ patch: { title: 'New' } });
    expect(text).toBe(file.text.replace('<a:t>Old</a:t>', '<a:t>New</a:t>'));
    const moved = patched({ patch: { legend: 'bottom' } }).text;
    expect(moved).toBe(file.text.replace('legendPos val="r"', 'legendPos val="b"'));
    const ranged = patched({ series: { 1: { values: 'S!$C$2:$C$9' } } }).text;
    expect(differences(file.text, ranged)).toEqual(
      expect.arrayContaining(['<c:f>S!$C$2:$C$9', '<c:formatCode>0.0'].slice(0, 1)),
    );
    expect(ranged.replace(/<c:numCache>.*?<\/c:numCache>|S!\$C\$2:\$C\$\d/g, '')).toBe(
      file.text.replace(/<c:numCache>.*?<\/c:numCache>|S!\$C\$2:\$C\$\d/g, ''),
    );
    for (const part of Object.values(kept)) expect(ranged).toContain(part);
  });

  it('[XE41] series are put in, taken out, named and ordered, and keep their numbers by which they have colours', () => {
    const without = patched({ series: { 0: null } });
    expect(without.after.series.map(({ index, values }) => [index, values])).toEqual([
      [1, 'S!$C$2:$C$4'],
      [2, 'S!$D$2:$D$4'],
    ]);
    const added = patched(
      { series: { 3: { name: '"A<b"', values: 'S!$E$2:$E$4' } } },
      without.xml,
      without.after,
    );
    expect(added.text).toContain('<c:tx><c:v>A&lt;b</c:v></c:tx>');
    const turned = patched({ order: [3, 2, 1] }, added.xml, added.after);
    expect(turned.after.series.map(({ values }) => values)).toEqual([
      'S!$E$2:$E$4',
      'S!$D$2:$D$4',
      'S!$C$2:$C$4',
    ]);
    expect(seriesNumbers(turned.after.series)).toEqual([3, 2, 1]);
  });

  it('[XE42] titles of axes, their ends, lines and numbers, labels and colours are those that were chosen', () => {
    const { text } = patched({
      patch: {
        categoryTitle: 'Month',
        valueTitle: 'Price\n€',
        minimum: 2,
        maximum: 20,
        valueFormat: '0" €"',
      },
      axes: { value: { gridlines: false, step: 4 }, category: { reversed: true } },
      series: {
        0: { color: { theme: 7, tint: -0.25 }, points: [{ at: 1, color: { rgb: 'FF0000' } }] },
        1: { labels: true, labelParts: ['series', 'value'], labelPlace: 'insideEnd', labelFormat: '0.0' },
        2: { labels: null },
      },
    });
    expect(text).toContain('<c:max val="20"/><c:min val="2"/>');
    for (const part of Object.values(kept)) expect(text).toContain(part);
    // An axis that would end before it begins is left to the program.
    const wrong = changedChart(opened, { patch: { minimum: 9, maximum: 1 } })!;
    expect(patchedChart(file, opened, wrong, context)).not.toMatch(/<c:m(?:in|ax) /);
  });

  it('[XE43] a chart of each kind becomes one of each other, and back, with its series, names and titles', () => {
    for (const from of chartTypes)
      for (const grouping of [...groupingsOf(from), undefined].slice(
        0,
        Math.max(1, groupingsOf(from).length),
      )) {
        const first = patched({ patch: { type: from, grouping: grouping ?? null } });
        for (const to of chartTypes) {
          const second = patched(
            { patch: { type: to, grouping: groupingsOf(to).at(-1) ?? null } },
            first.xml,
            first.after,
          );
          expect(
            second.after.series.map(({ name, values, categories, color }) => ({
              name,
              values,
              categories,
              color,
            })),
          ).toEqual(
            opened.series.map(({ name, values, categories, color }) => ({ name, values, categories, color })),
          );
          expect(second.text).toContain('sz="1800" i="1"/><a:t>Old');
          expect(second.text).toContain(`${kept.look}${kept.extension}</c:chartSpace>`);
        }
      }
    expect(patched({ patch: { type: 'column', grouping: 'stacked' } }).text).not.toContain('trendline');
  });

  it('[XE44] a new chart of each kind says what it was made of', () => {
    for (const type of chartTypes)
      for (const grouping of groupingsOf(type).length > 0 ? groupingsOf(type) : [undefined]) {
        const chart: Chart = {
          ...{ type, title: 'Sales & more', legend: 'bottom', categoryTitle: 'Across', minimum: 1 },
          ...(grouping && { grouping }),
          series: [
            { name: 'S!$B$1', categories: 'S!$A$2:$A$4', values: 'S!$B$2:$B$4', color: { theme: 6 } },
            { name: '"two"', values: 'S!$C$2:$C$4', labels: true },
          ],
        };
        const xml = parsed(newChartXml(chart, context));
        expectSound(xml, chart);
        expect(readChart(xml)).toMatchObject(
          JSON.parse(
            JSON.stringify(
              isRound(type)
                ? { type, series: bare(chart), title: chart.title }
                : { ...chart, series: bare(chart) },
            ),
          ),
        );
      }
  });

  it('[XE45] any changes one after the other lead to the same chart in the file, in one save or in several', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = randomOf(seed);
      const below = (count: number) => Math.floor(random() * count);
      let marks = 0;
      const chance = {
        below,
        pick: <Value>(values: readonly Value[]) => values[below(values.length)]!,
        marker: () => `m${marks++}`,
        reference: () => `S!$B$${1 + below(5)}:$B$${6 + below(5)}`,
      };
      let [xml, before, after] = [file, opened, opened];
      for (let step = 0; step < 12; step++) {
        const next = changedChart(after, randomChartChange(after, chance));
        if (!next) continue;
        after = next;
        if (below(3) > 0) continue;
        xml = parsed(patchedChart(xml, before, after, context));
        expectSound(xml, after);
        expect(told(readChart(xml)!), `seed ${seed}`).toEqual(told(after));
        // What a circle does not show is not in its file.
        before = readChart(xml)!;
        after = before;
      }
    }
  });
});

const bare = ({ series: all }: Chart) =>
  all.map(({ name, values, categories, color }) => ({ name, values, categories, color }));
