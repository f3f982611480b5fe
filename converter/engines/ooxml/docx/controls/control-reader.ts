import type { ContentControl, HoldReason } from '../../../../../model/word/rights/document-rights.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import type { ReadContext } from '../read-context.ts';
import { type ControlKind, type ControlProperties, controlProperties } from './control-properties.ts';
import { isPackage, nodeValue } from './data-parts.ts';

/** Controls of these kinds hold text that people type. */
const TYPED: ReadonlySet<ControlKind> = new Set(['text', 'richText', 'comboBox', 'date']);

/** Whether what is in a control in a line is shown as text; one whose value is chosen or made stays whole. */
export function holdsText(xml: XmlDocument, element: XmlElement): boolean {
  return TYPED.has(controlProperties(xml, element).kind);
}

/**
 * Notes what a control allows.
 * @param ref what it is called in the model
 */
export function noteControl(context: ReadContext, element: XmlElement, ref: string): void {
  if (element.name !== 'w:sdt') return;
  const properties = controlProperties(context.xml, element);
  const { kind, locksControl, showsPlaceholder } = properties;
  const held = holdReason(context, properties);
  if (held === null && TYPED.has(kind)) context.map.fillable.push(ref);
  const control: ContentControl = { ref, held, stays: locksControl, showsPlaceholder };
  if (held !== null || locksControl || showsPlaceholder) context.map.controls.push(control);
}

/** Notes of a control that the model holds as a whole that it may not be deleted. */
export function noteWhole({ xml, map }: ReadContext, element: XmlElement, ref: string): void {
  if (element.name !== 'w:sdt' || !controlProperties(xml, element).locksControl) return;
  map.controls.push({ ref, held: null, stays: true, showsPlaceholder: false });
}

function holdReason(
  { dataParts }: ReadContext,
  { kind, locksContent, binding }: ControlProperties,
): HoldReason | null {
  if (locksContent) return 'locked';
  if (kind === 'group') return 'group';
  if (!binding) return null;
  const node = dataParts.find(binding);
  if (node === 'none') return null;
  // What is chosen or a picture is not told by the text that stands there.
  const isTold = kind !== 'picture' && kind !== 'checkBox';
  return node !== 'unknown' && isTold && !isPackage(nodeValue(node)) ? null : 'bound';
}
