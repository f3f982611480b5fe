import type { Sheet } from '../../../../model/cell/workbook.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { relativeTarget, resolveTarget } from '../package/relationships.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { withAttributes } from '../package/xml-text.ts';
import type { HeldPart, ReadHeld } from './held/held-parts.ts';
import type { HeldPartKind } from './held/held-places.ts';
import type { PackageChanges } from './package-changes.ts';
import { PartEdits } from './part-edits.ts';
import type { SheetSource } from './sheet-source.ts';

/** What a copy of a sheet has as its original has it in the file. What else it has is written as for a new sheet. */
const KEPT = new Set([
  ...['sheetPr', 'dimension', 'sheetViews', 'sheetFormatPr', 'cols', 'sheetData', 'sheetCalcPr'],
  ...['sheetProtection', 'protectedRanges', 'scenarios', 'autoFilter', 'sortState', 'mergeCells'],
  ...['phoneticPr', 'conditionalFormatting', 'dataValidations', 'printOptions', 'pageMargins', 'pageSetup'],
  ...['headerFooter', 'rowBreaks', 'colBreaks', 'cellWatches', 'ignoredErrors', 'smartTags'],
  ...['legacyDrawingHF', 'picture', 'extLst'],
]);
/** Of extensions those of whose lists nothing leads to other parts ([MS-XLSX] 2.2.4.8). */
const KEPT_EXTENSIONS = new Set([
  ...['x14:conditionalFormattings', 'x14:dataValidations', 'x14:sparklineGroups'],
  ...['x14:ignoredErrors', 'x14:protectedRanges'],
]);
/** Parts that each sheet has for itself; others are shared with the original. */
const DOUBLED = /\/(?:printerSettings|vmlDrawing)$/;

/** The part of a copied sheet as its original is in the file, without what it has in parts of its own. */
export function copiedSheet(
  original: SheetSource,
  partName: string,
  opened: OfficePackage,
  changes: PackageChanges,
): Uint8Array {
  const { shell, rows } = original.xml;
  const edits = new PartEdits(shell, []);
  const linked = (element: XmlElement) => {
    const id = shell.attribute(element, 'r:id');
    const link = id === undefined ? undefined : original.relationships.get(id);
    if (!link || (!link.external && !opened.archive.find(resolveTarget(original.partName, link.target))))
      return null;
    const { type, external } = link;
    const target = external
      ? link.target
      : relativeTarget(partName, doubled(resolveTarget(original.partName, link.target), type));
    return changes.relationshipsOf(partName).require(type, target, external);
  };
  const doubled = (part: string, type: string) => {
    const content = DOUBLED.test(type) ? opened.read(part) : undefined;
    return content ? changes.addCopy(part, opened.contentTypes.of(part) ?? '', content) : part;
  };
  for (const element of shell.root.children) {
    const { name } = element;
    if (!KEPT.has(name)) edits.replace(element, '');
    else if (name === 'sheetPr') edits.setAttributes(element, { codeName: null });
    else if (name === 'pageSetup') edits.setAttributes(element, { 'r:id': linked(element) });
    else if (name === 'picture' || name === 'legacyDrawingHF') {
      const id = linked(element);
      edits.replace(element, id === null ? '' : withAttributes(shell.raw(element), { 'r:id': id }));
    } else if (name === 'sheetViews')
      for (const view of element.children) edits.setAttributes(view, { tabSelected: null });
    else if (name === 'extLst') keepExtensions(edits, element);
  }
  return original.xml.encode(edits.text(), rows);
}

function keepExtensions(edits: PartEdits, all: XmlElement): void {
  const isKept = ({ children }: XmlElement) =>
    children.length > 0 && children.every(({ name }) => KEPT_EXTENSIONS.has(name));
  for (const extension of all.children) if (!isKept(extension)) edits.replace(extension, '');
  edits.withoutEmpty(all, all);
}

/** The references beside the model in the parts of a copied sheet. */
export function heldOfCopy(
  { parts }: ReadHeld,
  { id: copy, copyOf }: Sheet,
  partName: string,
  changes: PackageChanges,
): HeldPart[] {
  const heldOf = (kind: HeldPartKind, name: string): HeldPart[] => {
    const own = parts.filter((part) => part.kind === kind && part.scope === copyOf);
    const places = own.flatMap((part) => part.places);
    const ids = own.flatMap((part) => part.ids);
    return own.length > 0 ? [{ partName: name, kind, places, ids, scope: copy, copy }] : [];
  };
  const related = (from: string, type: string) =>
    changes
      .relationshipsOf(from)
      .all.filter((link) => !link.external && link.type.endsWith(`/${type}`))
      .map(({ target }) => resolveTarget(from, target));
  const drawings = related(partName, 'drawing');
  return [...heldOf('sheet', partName), ...drawings.flatMap((drawing) => heldOf('drawing', drawing))];
}
