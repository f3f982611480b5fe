import { escapeText } from '../package/xml-text.ts';

const SPECIAL_TEXT: ReadonlyMap<string, string> = new Map([
  ['\u2011', '<w:noBreakHyphen/>'],
  ['\u00ad', '<w:softHyphen/>'],
]);

/** The elements of a run that hold a text; in a tracked deletion they have another name (17.3.3.7). */
export function textXml(text: string, deleted: boolean): string {
  const element = deleted ? 'w:delText' : 'w:t';
  let xml = '';
  for (const part of text.split(/([\u2011\u00ad])/)) {
    const special = SPECIAL_TEXT.get(part);
    if (special) xml += special;
    else if (part !== '') {
      const space = /^\s|\s$|\s\s|[\t\n]/.test(part) ? ' xml:space="preserve"' : '';
      xml += `<${element}${space}>${escapeText(part)}</${element}>`;
    }
  }
  return xml;
}
