import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type { Format } from './editor-formats.ts';
import type { DescribedFormat } from './meta.ts';

const ooxmlFormat = /^(?:doc|xls|ppt|dot|xlt|pot|pps)[xm]$/;

/** The formats that editors open, and those that can only be converted, by name. */
export function describedFormats(
  served: readonly Format[],
  conversions: Pick<ConversionTable, 'sources' | 'targetsOf' | 'byEngine'>,
): DescribedFormat[] {
  const opened = served.map((format) => ({
    name: format.extension,
    type: format.kind,
    actions: actionsOf(format),
    ...convertible(format.extension, conversions),
    mime: format.mimeTypes,
  }));
  const names = new Set(opened.map(({ name }) => name));
  const converted = conversions
    .sources()
    .filter((name) => !names.has(name))
    .map((name) => ({ name, type: '', actions: [], ...convertible(name, conversions), mime: [] }));
  return [...opened, ...converted].sort((one, other) => (one.name < other.name ? -1 : 1));
}

const convertible = (name: string, conversions: Pick<ConversionTable, 'targetsOf' | 'byEngine'>) => ({
  convert: conversions.targetsOf(name),
  engines: Object.fromEntries(conversions.byEngine(name)),
});

/** Formats of others hold less than an editor can do; what cannot be written is saved as another format. */
function actionsOf({ extension, view, edit, convertTo }: Format): string[] {
  if (edit)
    return ooxmlFormat.test(extension) ? ['view', 'edit', 'review', 'comment'] : ['view', 'lossy-edit'];
  return [...(view ? ['view'] : []), ...(convertTo === null ? [] : ['auto-convert'])];
}
