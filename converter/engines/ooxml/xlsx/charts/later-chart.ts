import type { Chart } from '../../../../../model/cell/chart.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';

const MOST_TEXT = 32_767;

/**
 * A chart of the kinds that Office has since 2016 (waterfall, treemap, histogram, …): of which kind it is, and its title. It is kept and
 * not drawn.
 */
export function readLaterChart(xml: XmlDocument): Chart | undefined {
  if (!/(?:^|:)chartSpace$/.test(xml.root.name)) return undefined;
  const [series] = named(xml.root, 'series');
  const type = xml.attribute(series, 'layoutId');
  if (type === undefined) return undefined;
  const texts = named(xml.root, 'title')
    .slice(0, 1)
    .flatMap((title) => named(title, 't'));
  const title =
    texts
      .map((one) => xml.content(one))
      .join('')
      .slice(0, MOST_TEXT) || undefined;
  return { type, ...(title !== undefined && { title }), series: [], editable: false };
}

/** All elements of a local name, whatever prefix a file has for their namespace. */
function named(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    child.name.replace(/^.*:/, '') === name ? [child] : named(child, name),
  );
}
