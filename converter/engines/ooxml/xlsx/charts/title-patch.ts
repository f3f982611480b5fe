import { XmlNode } from '../../package/xml-node.ts';
import { escapeText } from '../../package/xml-text.ts';
import { TITLE_ORDER } from './element-order.ts';

/** What a title says, and the cell that it is of. */
export interface TitleWords {
  readonly text: string | null | undefined;
  readonly formula: string | undefined;
}

interface TitlePlace {
  readonly order: readonly string[];
  /** Of new titles, points. */
  readonly size: number;
  readonly isUpright?: boolean;
}

/** Gives a chart or an axis another title, or takes it away. The look of the one that is there stays. */
export function patchTitle(owner: XmlNode, before: TitleWords, after: TitleWords, place: TitlePlace): void {
  if (before.text === after.text && before.formula === after.formula) return;
  let title = owner.child('c:title');
  if (after.formula !== undefined) {
    const reference = title?.at('c:tx', 'c:strRef', 'c:f');
    if (reference) reference.setContent(escapeText(after.formula));
    else {
      title ??= newTitle(owner, place.order);
      putText(
        title,
        XmlNode.parse(`<c:tx><c:strRef><c:f>${escapeText(after.formula)}</c:f></c:strRef></c:tx>`),
      );
    }
    return;
  }
  const text = after.text ?? '';
  if (text === '') {
    owner.remove(title);
    return;
  }
  const look = title && lookOf(title);
  title ??= newTitle(owner, place.order);
  putText(title, XmlNode.parse(`<c:tx>${richXml(text, look, place)}</c:tx>`));
}

function newTitle(owner: XmlNode, order: readonly string[]): XmlNode {
  const title = XmlNode.parse('<c:title><c:overlay val="0"/></c:title>');
  owner.insert(title, order);
  return title;
}

const putText = (title: XmlNode, text: XmlNode): void => title.setChildren('c:tx', [text], TITLE_ORDER);

/** How the words of a title look: of its text, else of what it says for texts that it finds itself. */
interface Look {
  readonly body: string;
  readonly paragraph: string;
  readonly run: string;
}

function lookOf(title: XmlNode): Look {
  const text = title.at('c:tx', 'c:rich') ?? title.child('c:txPr');
  const paragraph = text?.child('a:p');
  const run = paragraph?.children.find(({ name }) => name === 'a:r' || name === 'a:fld');
  const list = text?.child('a:lstStyle')?.toString() ?? '';
  return {
    body: (text?.child('a:bodyPr')?.toString() ?? '<a:bodyPr/>') + list,
    paragraph: paragraph?.child('a:pPr')?.toString() ?? '',
    run: run?.child('a:rPr')?.toString() ?? '',
  };
}

function richXml(text: string, look: Look | undefined, { size, isUpright }: TitlePlace): string {
  const turned = isUpright ? ' rot="-5400000" vert="horz"' : '';
  const { body, paragraph, run } = look ?? {
    body: `<a:bodyPr${turned}/>`,
    paragraph: `<a:pPr><a:defRPr sz="${size * 100}" b="0"/></a:pPr>`,
    run: `<a:rPr sz="${size * 100}" b="0"/>`,
  };
  const lines = text
    .split('\n')
    .map((line) => `<a:p>${paragraph}<a:r>${run}<a:t>${escapeText(line)}</a:t></a:r></a:p>`);
  return `<c:rich>${body}${lines.join('')}</c:rich>`;
}
