import type { DocxFixture } from '../../../../../test/support/docx-fixture.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const WORD_2010 = 'http://schemas.microsoft.com/office/word/2010/wordml';
const WORD_2012 = 'http://schemas.microsoft.com/office/word/2012/wordml';
const WORD_CID = 'http://schemas.microsoft.com/office/word/2016/wordml/cid';
const WORD_CEX = 'http://schemas.microsoft.com/office/word/2018/wordml/cex';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

export interface FixtureComment {
  readonly id: string;
  readonly paragraphs: readonly string[];
  readonly paraId?: string;
  readonly parent?: string;
  readonly done?: boolean;
}

/** A comment's paragraph as Word writes it. */
export function commentParagraph(text: string, paraId?: string): string {
  const id = paraId === undefined ? '' : ` w14:paraId="${paraId}"`;
  return `<w:p${id}><w:r><w:annotationRef/></w:r><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A `w:comment` of the fixture. */
export function commentXml({ id, paragraphs, paraId }: FixtureComment): string {
  const content = paragraphs.map((text, index) =>
    commentParagraph(text, index === paragraphs.length - 1 ? paraId : undefined),
  );
  const date = '2024-05-06T07:08:09Z';
  return `<w:comment w:id="${id}" w:author="Ann" w:date="${date}" w:initials="A">${content.join('')}</w:comment>`;
}

/** Parts and relationships of a fixture with comments; a paragraph id makes those of answers and lasting ids, too. */
export function withComments(comments: readonly FixtureComment[]): DocxFixture {
  const named = comments.filter(({ paraId }) => paraId !== undefined);
  const states = named.map(({ paraId, parent, done }) => {
    const answers = parent === undefined ? '' : ` w15:paraIdParent="${parent}"`;
    return `<w15:commentEx w15:paraId="${paraId}"${answers} w15:done="${done ? 1 : 0}"/>`;
  });
  const ids = named.map(
    ({ paraId }) => `<w16cid:commentId w16cid:paraId="${paraId}" w16cid:durableId="D${paraId?.slice(1)}"/>`,
  );
  const lasting = named.map(
    ({ paraId }) => `<w16cex:commentExtensible w16cex:durableId="D${paraId?.slice(1)}"/>`,
  );
  const parts: Record<string, string> = {
    'word/comments.xml': `<w:comments xmlns:w="${WORD}" xmlns:w14="${WORD_2010}">${comments.map(commentXml).join('')}</w:comments>`,
  };
  const relationships = [{ id: 'rIdC', type: 'comments', target: 'comments.xml' }];
  const contentTypes: Record<string, string> = { '/word/comments.xml': `${TYPES}.comments+xml` };
  if (named.length === 0) return { parts, relationships, contentTypes };
  parts['word/commentsExtended.xml'] =
    `<w15:commentsEx xmlns:w15="${WORD_2012}">${states.join('')}</w15:commentsEx>`;
  parts['word/commentsIds.xml'] =
    `<w16cid:commentsIds xmlns:w16cid="${WORD_CID}">${ids.join('')}</w16cid:commentsIds>`;
  parts['word/commentsExtensible.xml'] =
    `<w16cex:commentsExtensible xmlns:w16cex="${WORD_CEX}">${lasting.join('')}</w16cex:commentsExtensible>`;
  for (const name of ['commentsExtended', 'commentsIds', 'commentsExtensible'])
    contentTypes[`/word/${name}.xml`] = `${TYPES}.${name}+xml`;
  return { parts, relationships: [...relationships, ...MICROSOFT], contentTypes };
}

const MICROSOFT = [
  {
    id: 'rIdE',
    type: 'http://schemas.microsoft.com/office/2011/relationships/commentsExtended',
    target: 'commentsExtended.xml',
  },
  {
    id: 'rIdI',
    type: 'http://schemas.microsoft.com/office/2016/09/relationships/commentsIds',
    target: 'commentsIds.xml',
  },
  {
    id: 'rIdX',
    type: 'http://schemas.microsoft.com/office/2018/08/relationships/commentsExtensible',
    target: 'commentsExtensible.xml',
  },
];

/** A paragraph with a comment on its text. */
export function commented(id: string, text: string): string {
  return (
    `<w:p><w:commentRangeStart w:id="${id}"/><w:r><w:t>${text}</w:t></w:r><w:commentRangeEnd w:id="${id}"/>` +
    `<w:r><w:commentReference w:id="${id}"/></w:r></w:p>`
  );
}
