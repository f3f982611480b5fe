import type { WordDocumentJson, WordStyle } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import { isOn } from './run-properties.ts';
import { splitRunProperties } from './run-property-reader.ts';
import { readShownRun } from './shown-run.ts';
import type { Theme } from './theme.ts';

type Defaults = WordDocumentJson['defaults'];

const TYPES: readonly string[] = [
  'paragraph',
  'character',
  'table',
  'numbering',
] satisfies WordStyle['type'][];

/** The styles of a styles part (17.7.4.17) with the properties that the model knows. */
export function readStyles(xml: XmlDocument, theme: Theme): WordStyle[] {
  const styles: WordStyle[] = [];
  for (const element of xml.root.children.filter(({ name }) => name === 'w:style')) {
    const attributes = xml.attributes(element);
    const { 'w:styleId': id, 'w:type': type = 'paragraph' } = attributes;
    if (id === undefined || !TYPES.includes(type)) continue;
    const value = (name: string) => xml.attribute(xml.child(element, name), 'w:val') ?? null;
    styles.push({
      id,
      name: value('w:name') ?? id,
      type: type as WordStyle['type'],
      basedOn: value('w:basedOn'),
      next: value('w:next'),
      isDefault: ['1', 'true', 'on'].includes(attributes['w:default'] ?? ''),
      paragraph: readParagraphProperties(xml, xml.child(element, 'w:pPr')),
      run: readShownRun(xml, xml.child(element, 'w:rPr'), theme),
      extra: extraOf(xml, xml.child(element, 'w:rPr')),
      contextualSpacing: flagOf(xml, xml.child(xml.child(element, 'w:pPr'), 'w:contextualSpacing')),
      tabStops: tabStopsOf(xml, xml.child(xml.child(element, 'w:pPr'), 'w:tabs')),
    });
  }
  return styles;
}

function extraOf(xml: XmlDocument, properties: XmlElement | undefined): string {
  return properties ? splitRunProperties(xml, properties).extra : '';
}

function tabStopsOf(xml: XmlDocument, tabs: XmlElement | undefined): WordStyle['tabStops'] {
  const stops = (tabs?.children ?? []).map((tab) => ({
    position: Number(xml.attribute(tab, 'w:pos') ?? Number.NaN),
    align: xml.attribute(tab, 'w:val') ?? 'left',
  }));
  return stops.filter(({ position }) => Number.isInteger(position)).sort((a, b) => a.position - b.position);
}

function flagOf(xml: XmlDocument, element: XmlElement | undefined): boolean | null {
  return element ? isOn(xml.attributes(element)) : null;
}

export function readDefaults(xml: XmlDocument, theme: Theme): Defaults {
  const defaults = xml.child(xml.root, 'w:docDefaults');
  const paragraph = xml.child(xml.child(defaults, 'w:pPrDefault'), 'w:pPr');
  const run = xml.child(xml.child(defaults, 'w:rPrDefault'), 'w:rPr');
  return { paragraph: readParagraphProperties(xml, paragraph), run: readShownRun(xml, run, theme) };
}
