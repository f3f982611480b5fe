import { XmlNode } from '../../package/xml-node.ts';
import { escapeAttribute } from '../../package/xml-text.ts';

/** Sets the element of a name that says one value (`<c:gapWidth val="150"/>`); without a value it goes. */
export function setValue(
  owner: XmlNode,
  name: string,
  value: string | number | boolean | undefined,
  order: readonly string[],
): void {
  const present = owner.child(name);
  if (value === undefined) {
    owner.remove(present);
    return;
  }
  const val = typeof value === 'boolean' ? Number(value) : value;
  if (present) present.set({ val });
  else owner.insert(XmlNode.parse(`<${name} val="${escapeAttribute(val)}"/>`), order);
}
