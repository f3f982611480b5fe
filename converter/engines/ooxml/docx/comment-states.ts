import { prefixFor, WORD_2012 } from '../package/namespace-prefix.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { readablePart, relatedPartName } from '../package/related-part.ts';
import type { Relationships } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

export const COMMENT_STATES_RELATIONSHIP =
  'http://schemas.microsoft.com/office/2011/relationships/commentsExtended';

/** A `w15:commentEx` ([MS-DOCX] 2.5.4.2): what a comment answers, and whether it is resolved. */
export interface CommentState {
  readonly element: XmlElement;
  readonly parentParaId: string | undefined;
  readonly done: boolean;
}

/** The part that says which comments are answers and which are resolved. */
export interface CommentStates {
  readonly partName: string | undefined;
  readonly xml: XmlDocument | undefined;
  of(paraId: string | null): CommentState | undefined;
}

export function readCommentStates(opened: OfficePackage, relationships: Relationships): CommentStates {
  const partName = relatedPartName(opened, relationships, (type) => type === COMMENT_STATES_RELATIONSHIP);
  const xml = readablePart(opened, partName);
  const states = new Map<string, CommentState>();
  const prefix = xml && prefixFor(xml, WORD_2012, 'w15').prefix;
  for (const element of xml?.root.children ?? []) {
    const attributes = xml!.attributes(element);
    const paraId = attributes[`${prefix}:paraId`]?.toUpperCase();
    if (element.name !== `${prefix}:commentEx` || paraId === undefined || states.has(paraId)) continue;
    states.set(paraId, {
      element,
      parentParaId: attributes[`${prefix}:paraIdParent`],
      done: ['1', 'true', 'on'].includes(attributes[`${prefix}:done`] ?? ''),
    });
  }
  return { partName, xml, of: (paraId) => (paraId === null ? undefined : states.get(paraId.toUpperCase())) };
}
