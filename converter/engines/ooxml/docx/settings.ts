import type { WordDocumentJson } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import { isOn } from './run-properties.ts';
import type { Theme } from './theme.ts';

/** Half an inch (17.15.1.25). */
const DEFAULT_TAB_STOP_TWIPS = 720;

/** What the settings part (17.15.1.78) says that an editor must know. */
export function readSettings(xml: XmlDocument | undefined, theme: Theme): WordDocumentJson['settings'] {
  const isSet = (name: string): boolean => {
    const element = xml?.child(xml.root, name);
    return xml !== undefined && element !== undefined && isOn(xml.attributes(element));
  };
  const tabStop = Number(xml?.attribute(xml.child(xml.root, 'w:defaultTabStop'), 'w:val') ?? Number.NaN);
  return {
    trackChanges: isSet('w:trackRevisions'),
    evenAndOddHeaders: isSet('w:evenAndOddHeaders'),
    defaultTabStop: Number.isInteger(tabStop) && tabStop > 0 ? tabStop : DEFAULT_TAB_STOP_TWIPS,
    majorFont: theme.majorFont,
    minorFont: theme.minorFont,
  };
}
