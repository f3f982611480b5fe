import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';

export interface ReadFields {
  /** Every field that begins in a story ends in it, and nothing of a field stands outside of one. */
  readonly isBalanced: boolean;
  /** What a program shows that knows fields: without instructions, and without anything after a field that never ends. */
  readonly paragraphs: string[];
}

/** A story: its open fields, innermost last, true for those whose result has begun. */
interface Story {
  readonly open: boolean[];
  paragraphs: string[];
  isBalanced: boolean;
}

/** Reads a stretch of WordprocessingML as programs do that know fields; text boxes are stories of their own, and not among the paragraphs. */
export function fieldsOf(source: string): ReadFields {
  const inBody = /<w:body[\s>]/.test(source);
  const root = source.slice(source.indexOf('<w:document'));
  const xml = new XmlDocument(inBody ? root : `<_>${source}</_>`);
  const stories: Story[] = [];
  const read = (element: XmlElement, story: Story): void => {
    switch (element.name) {
      case 'w:txbxContent':
        begin(element);
        return;
      case 'w:p':
        story.paragraphs.push('');
        break;
      case 'w:fldChar':
        take(story, xml.attribute(element, 'w:fldCharType'));
        return;
      case 'w:instrText':
      case 'w:delInstrText':
        if (!story.open.includes(false)) story.isBalanced = false;
        return;
      case 'w:t':
        if (!story.open.includes(false))
          story.paragraphs.push((story.paragraphs.pop() ?? '') + xml.content(element));
        return;
    }
    for (const child of element.children) read(child, story);
  };
  const begin = (element: XmlElement) => {
    const story: Story = { open: [], paragraphs: [], isBalanced: true };
    stories.push(story);
    for (const child of element.children) read(child, story);
    if (story.open.length > 0) {
      story.isBalanced = false;
      story.paragraphs = [];
    }
  };
  begin(xml.root);
  return {
    isBalanced: stories.every((story) => story.isBalanced),
    paragraphs: stories[0]!.paragraphs,
  };
}

function take(story: Story, type: string | undefined): void {
  const { open } = story;
  if (type === 'begin') open.push(false);
  else if (open.length === 0) story.isBalanced = false;
  else if (type === 'end') open.pop();
  else if (open.at(-1) === true) story.isBalanced = false;
  else open[open.length - 1] = true;
}
