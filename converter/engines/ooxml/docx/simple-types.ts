import { accepts } from '../../../../model/word/attributes.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlAttributes, XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml } from '../package/xml-text.ts';

const ON = new Set(['1', 'true', 'on']);
const OFF = new Set(['0', 'false', 'off']);

/** An element of type CT_OnOff (17.17.4): on unless it says otherwise. */
export function isOn(attributes: XmlAttributes): boolean {
  return !OFF.has(attributes['w:val'] ?? '');
}

/** An attribute of type ST_OnOff (22.9.2.7): off unless it says on. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && ON.has(value);
}

/** A date as ST_DateTime has it. Undefined for one that no calendar has: Word calls a file with such a date damaged. */
export function writableDate(date: string | null): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(date ?? '') ?? [];
  if (date === null || year === undefined) return undefined;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = at.getUTCMonth() + 1 === Number(month) && at.getUTCDate() === Number(day);
  return isTime && isDay && Number(year) >= 100 && isZone(date) ? date : undefined;
}

/** Offsets go to 14 hours (XML Schema Part 2, 3.2.7.3). */
function isZone(date: string): boolean {
  const [, hours, minutes] = /[+-](\d\d):(\d\d)$/.exec(date) ?? [];
  return hours === undefined || (Number(minutes) < 60 && Number(hours) * 60 + Number(minutes) <= 14 * 60);
}

/**
 * The colour that a `w:shd` (17.3.5) makes of the background, `auto` when it makes none. A pattern of dots is the
 * mixture of its two colours.
 */
export function readShading(xml: XmlDocument, element: XmlElement | undefined): string | undefined {
  if (!element) return undefined;
  const { 'w:val': pattern = 'clear', 'w:color': color, 'w:fill': fill } = xml.attributes(element);
  const share = pattern === 'solid' ? 100 : Number(/^pct(\d{1,2})$/.exec(pattern)?.[1] ?? 0);
  if (share > 0) return mixed(known(color) ?? '000000', known(fill) ?? 'FFFFFF', share / 100);
  return (pattern === 'nil' ? undefined : known(fill)) ?? 'auto';
}

export function shadingXml(color: string | null): string {
  if (color === null) return '';
  return `<w:shd${attributesXml({ 'w:val': 'clear', 'w:color': 'auto', 'w:fill': color })}/>`;
}

function known(color: string | undefined): string | undefined {
  return color !== 'auto' && accepts(values.hexColor, color) ? color : undefined;
}

function mixed(foreground: string, background: string, share: number): string {
  const channels = [0, 2, 4].map((at) => {
    const [front, back] = [foreground, background].map((color) =>
      Number.parseInt(color.slice(at, at + 2), 16),
    );
    return Math.round(front! * share + back! * (1 - share));
  });
  return channels.map((channel) => channel.toString(16).padStart(2, '0').toUpperCase()).join('');
}
