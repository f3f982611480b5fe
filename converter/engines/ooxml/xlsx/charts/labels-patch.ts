import type { Chart, ChartSeries } from '../../../../../model/cell/chart.ts';
import { labelPlacesOf } from '../../../../../model/cell/chart-kinds.ts';
import { XmlNode } from '../../package/xml-node.ts';
import { escapeAttribute } from '../../package/xml-text.ts';
import { LABELS_ORDER, SERIES_ORDER } from './element-order.ts';
import { LABEL_PARTS, LABEL_PLACES } from './series-reader.ts';
import { setValue } from './value-element.ts';

type Kind = Pick<Chart, 'type' | 'grouping' | 'solid'>;

const PLACE_NAMES = new Map([...LABEL_PLACES].map(([name, place]) => [place, name]));

/** What labels of a series say, and where. @param hasCommon the group of the series has labels of its own */
export function patchLabels(series: XmlNode, after: ChartSeries, kind: Kind, hasCommon: boolean): void {
  let labels = series.child('c:dLbls');
  if (!after.labels) {
    series.remove(labels);
    if (hasCommon) series.insert(XmlNode.parse(`<c:dLbls>${shownXml()}</c:dLbls>`), SERIES_ORDER);
    return;
  }
  if (!labels) {
    labels = XmlNode.parse(`<c:dLbls>${shownXml()}</c:dLbls>`);
    series.insert(labels, SERIES_ORDER);
  }
  labels.remove(labels.child('c:delete'));
  const parts = after.labelParts ?? ['value'];
  setValue(labels, 'c:showLegendKey', labels.child('c:showLegendKey')?.attribute('val') ?? 0, LABELS_ORDER);
  for (const [part, name] of Object.entries(LABEL_PARTS))
    setValue(labels, name, (parts as string[]).includes(part), LABELS_ORDER);
  const isPlaced =
    after.labelPlace && labelPlacesOf(kind.type, kind.grouping, kind.solid).includes(after.labelPlace);
  setValue(labels, 'c:dLblPos', isPlaced ? PLACE_NAMES.get(after.labelPlace) : undefined, LABELS_ORDER);
  const format = after.labelFormat;
  const present = labels.child('c:numFmt');
  if (format === undefined) {
    if (present && !isLinked(present)) labels.remove(present);
  } else if (present) present.set({ formatCode: format, sourceLinked: 0 });
  else
    labels.insert(
      XmlNode.parse(`<c:numFmt formatCode="${escapeAttribute(format)}" sourceLinked="0"/>`),
      LABELS_ORDER,
    );
}

const isLinked = (format: XmlNode): boolean => /^(?:1|true)$/.test(format.attribute('sourceLinked') ?? '0');

const shownXml = (): string =>
  ['c:showLegendKey', ...Object.values(LABEL_PARTS)]
    .toSorted((one, other) => LABELS_ORDER.indexOf(one) - LABELS_ORDER.indexOf(other))
    .map((name) => `<${name} val="0"/>`)
    .join('');

/** Takes places away that labels of this kind of chart cannot have: programs would repair the file. */
export function mendPlaces(owner: XmlNode, { type, grouping, solid }: Kind): void {
  const allowed = labelPlacesOf(type, grouping, solid) as readonly (string | undefined)[];
  for (const labels of owner.all('c:dLbls')) {
    for (const one of [labels, ...labels.all('c:dLbl')]) {
      const place = one.child('c:dLblPos');
      if (place && !allowed.includes(LABEL_PLACES.get(place.attribute('val') ?? ''))) one.remove(place);
    }
  }
}
