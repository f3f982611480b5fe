import { kinds, nativeTypeOf, ownTypesOf } from '../../model/kinds.ts';
import { usualType } from '../../model/usual-type.ts';
import type { EngineRule, PreferableEngine } from '../../platform/config/engine-rules.ts';
import { type MeasuredPair, measuredPairs } from './measured-engines.ts';

/** The engine that is to convert files of a type to another where it can; undefined: the first in the list. */
export type EnginePreference = (fromType: string, toType: string) => PreferableEngine | undefined;

/** An engine is preferred over the one that comes first when it keeps so much more, points of a hundred. */
const clearlyMore = 1;

/** Types that are measured by another one of the same kind. */
const measuredAs: ReadonlyMap<string, string> = new Map([
  ...kinds.all.flatMap((kind) => ownTypesOf(kind).map((type) => [type, nativeTypeOf(kind)] as const)),
  ...namedAs('doc', 'dot'),
  ...namedAs('odt', 'ott fodt'),
  ...namedAs('html', 'htm'),
  ...namedAs('xls', 'xlt'),
  ...namedAs('ods', 'ots fods'),
  ...namedAs('csv', 'tsv'),
  ...namedAs('ppt', 'pps pot'),
  ...namedAs('odp', 'otp fodp'),
  ...namedAs('pdf', 'pdfa bmp gif jpg png'),
]);

function namedAs(type: string, others: string): (readonly [string, string])[] {
  return others.split(' ').map((other) => [other, type]);
}

const kindOf = (type: string): string => measuredAs.get(type) ?? type;

/** The preference of the operator for a pair (the first rule that fits), else the engine that was measured to keep more. */
export function enginePreference(
  rules: readonly EngineRule[],
  measured: readonly MeasuredPair[] = measuredPairs,
): EnginePreference {
  const better = new Map<string, PreferableEngine>();
  for (const [from, to, x2t, libreoffice] of measured) {
    better.set(`${from} ${to}`, libreoffice >= x2t + clearlyMore ? 'libreoffice' : 'x2t');
  }
  const fits = (wanted: string, type: string) => wanted === '*' || usualType(wanted) === usualType(type);
  return (fromType, toType) =>
    rules.find(({ from, to }) => fits(from, fromType) && fits(to, toType))?.engine ??
    better.get(`${kindOf(fromType)} ${kindOf(toType)}`);
}

/** Without a word of the operator. */
export const measuredPreference: EnginePreference = enginePreference([]);
