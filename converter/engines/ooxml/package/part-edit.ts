import { applyEdits, type TextEdit } from './text-edits.ts';
import type { XmlDocument } from './xml-document.ts';
import { withAttributes } from './xml-text.ts';

export interface PartEdit {
  /** Attributes that the root gets. */
  readonly rootAttributes: Readonly<Record<string, string>>;
  /** Edits of what the root holds. */
  readonly edits: readonly TextEdit[];
  /** XML that follows the last child of the root. */
  readonly appended: string;
}

/** The text of a part with changes of its root and what that holds; every other byte stays. */
export function editedPart(xml: XmlDocument, { rootAttributes, edits, appended }: PartEdit): string {
  const { root, text } = xml;
  const tag = withAttributes(xml.openTag(root), rootAttributes);
  const { start, openEnd, closeStart } = root;
  if (root.selfClosing) {
    const element = appended === '' ? tag : `${tag.replace(/\s*\/>$/, '>')}${appended}</${root.name}>`;
    return text.slice(0, start) + element + text.slice(openEnd);
  }
  return applyEdits(text, [
    { start, end: openEnd, text: tag },
    ...edits,
    { start: closeStart, end: closeStart, text: appended },
  ]);
}
