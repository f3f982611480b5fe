import type { XmlDocument } from './xml-document.ts';

/** The document's text with XML appended inside its root element; every other byte stays. */
export function appendToRoot({ text, root }: XmlDocument, xml: string): string {
  if (!root.selfClosing) return text.slice(0, root.closeStart) + xml + text.slice(root.closeStart);
  const open = text.slice(0, root.openEnd).replace(/\s*\/>$/, '>');
  return `${open}${xml}</${root.name}>${text.slice(root.end)}`;
}
