import type { TextEdit } from '../../package/text-edits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { withAttributes } from '../../package/xml-text.ts';
import type { ControlProperties } from './control-properties.ts';
import { isoDate, readDate } from './date-text.ts';

/** What a control that shows a text stands for. */
interface ShownValue {
  /** As the data has it. */
  readonly data: string;
  /** Edits of the properties of the control, which say the value a second time. */
  readonly edits: readonly TextEdit[];
}

/**
 * The value that a control has when it shows a text. A list (17.5.2.5 and 17.5.2.15) has the value of the entry with that text, a
 * date control (17.5.2.7) the date that the text is by its format, a check box whether the sign is that of the checked state.
 * @param before what the data has now
 */
export function shownValue(
  xml: XmlDocument,
  { kind, kindElement }: ControlProperties,
  text: string,
  before: string,
): ShownValue {
  if (!kindElement) return { data: text, edits: [] };
  switch (kind) {
    case 'comboBox':
    case 'dropDownList':
      return listValue(xml, kindElement, text);
    case 'date':
      return dateValue(xml, kindElement, text);
    case 'checkBox':
      return checkValue(xml, kindElement, text, before);
    default:
      return { data: text, edits: [] };
  }
}

/**
 * The text by which a control shows a value of the data; undefined where only the program that opens the file can decide.
 */
export function textFor(
  xml: XmlDocument,
  { kind, kindElement }: ControlProperties,
  data: string,
): string | undefined {
  switch (kind) {
    case 'text':
    case 'richText':
      return data;
    case 'comboBox':
    case 'dropDownList':
      return entriesOf(xml, kindElement).find(({ value }) => value === data)?.text ?? data;
    default:
      return undefined;
  }
}

/** Entries of a list; one without a text of its own shows its value. */
function entriesOf(
  xml: XmlDocument,
  list: XmlElement | undefined,
): readonly { text: string; value: string }[] {
  return (list?.children ?? [])
    .filter(({ name }) => name === 'w:listItem')
    .map((item) => {
      const { 'w:displayText': shown, 'w:value': value } = xml.attributes(item);
      return { text: shown ?? value ?? '', value: value ?? shown ?? '' };
    });
}

function listValue(xml: XmlDocument, list: XmlElement, text: string): ShownValue {
  const data = entriesOf(xml, list).find((entry) => entry.text === text)?.value ?? text;
  const last = xml.attribute(list, 'w:lastValue');
  return {
    data,
    edits: last === undefined || last === data ? [] : [attributeEdit(xml, list, { 'w:lastValue': data })],
  };
}

function dateValue(xml: XmlDocument, element: XmlElement, text: string): ShownValue {
  const format = xml.attribute(xml.child(element, 'w:dateFormat'), 'w:val') ?? '';
  const stored = xml.attribute(xml.child(element, 'w:storeMappedDataAs'), 'w:val') ?? 'dateTime';
  const date = format === '' ? undefined : readDate(text, format);
  const full = date ? isoDate(date) : null;
  const edits: TextEdit[] = [];
  const present = xml.attribute(element, 'w:fullDate');
  // A text that is no date leaves none behind that others would show in its place.
  if (full !== null || present !== undefined) {
    edits.push(attributeEdit(xml, element, { 'w:fullDate': full === null ? null : `${full}Z` }));
  }
  if (full === null || stored === 'text') return { data: text, edits };
  return { data: stored === 'date' ? full.slice(0, 'yyyy-MM-dd'.length) : full, edits };
}

/** Signs of the states that Word gives new check boxes. */
const CHECKED = '2612';

function checkValue(xml: XmlDocument, element: XmlElement, text: string, before: string): ShownValue {
  const prefix = element.name.slice(0, element.name.indexOf(':'));
  const sign = xml.attribute(xml.child(element, `${prefix}:checkedState`), `${prefix}:val`) ?? CHECKED;
  const isChecked = text.trim().codePointAt(0) === Number.parseInt(sign, 16);
  const state = xml.child(element, `${prefix}:checked`);
  const edits = state ? [attributeEdit(xml, state, { [`${prefix}:val`]: isChecked ? '1' : '0' })] : [];
  const [no, yes] = /^[01]$/.test(before.trim()) ? ['0', '1'] : ['false', 'true'];
  return { data: isChecked ? yes! : no!, edits };
}

function attributeEdit(
  xml: XmlDocument,
  element: XmlElement,
  changes: Record<string, string | null>,
): TextEdit {
  const text = withAttributes(xml.openTag(element), changes);
  return { start: element.start, end: element.openEnd, text };
}
