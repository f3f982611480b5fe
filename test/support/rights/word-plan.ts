import type { Node } from 'prosemirror-model';
import { type Step, Transform } from 'prosemirror-transform';
import { encodeChange } from '../../../model/word/change.ts';
import { parseWordDocument } from '../../../model/word/document.ts';
import { wordSchema } from '../../../model/word/schema.ts';
import { buildDocx } from '../docx-fixture.ts';
import { randomFrom } from '../fault-random.ts';
import { BREAK_DELETIONS, REVIEW_EDITS, type ReviewEdit } from '../review-edits.ts';
import { stageKinds } from './grants.ts';
import type { RestrictedPlan } from './restricted-stage.ts';
import { judgeWord } from './word-rights.ts';

const { marks, nodes } = wordSchema;
const run = (text: string, properties = '') =>
  `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const bold = '<w:rPr><w:b/></w:rPr>';
const comment = (id: number) =>
  `<w:commentRangeStart w:id="${id}"/>${run('commented')}<w:commentRangeEnd w:id="${id}"/>` +
  `<w:r><w:commentReference w:id="${id}"/></w:r>`;
const author = 'w:author="Other" w:date="2025-01-02T03:04:05Z"';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A document with everything that rights are about: text, formats, a comment, tracked changes and a form field. */
export const wordSource = buildDocx({
  body: [
    `<w:p>${run('Plain ')}${run('bold', bold)}${run(' text of this document')}</w:p>`,
    `<w:p><w:pPr><w:jc w:val="center"/></w:pPr>${run('Here is ')}${comment(0)}${run(' text')}</w:p>`,
    `<w:p>${run('Kept ')}<w:ins w:id="10" ${author}>${run('added')}</w:ins>` +
      `<w:del w:id="11" ${author}><w:r><w:delText xml:space="preserve">removed</w:delText></w:r></w:del>${run(' end')}</w:p>`,
    `<w:p>${run('Name: ')}<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>${run('field')}</w:sdtContent></w:sdt>` +
      `${run(' after it')}</w:p>`,
  ].join(''),
  parts: {
    'word/comments.xml':
      `<w:comments xmlns:w="${word}"><w:comment w:id="0" ${author} w:initials="O">` +
      `<w:p>${run('A remark')}</w:p></w:comment></w:comments>`,
  },
  contentTypes: {
    '/word/comments.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml',
  },
  relationships: [{ id: 'rId9', type: 'comments', target: 'comments.xml' }],
});

/** Edits of texts, formats and tracks, whoever may make them. */
const EDITS: readonly ReviewEdit[] = [
  (tr, from, _to, text) => tr.insert(from, wordSchema.text(text)),
  (tr, from, _to, text) => tr.insert(from, wordSchema.text(text, [marks.ins.create({ author: 'Other' })])),
  (tr, from, _to, text) => tr.insert(from, wordSchema.text(text, [marks.del.create({ author: 'Other' })])),
  (tr, from, _to, text) => tr.insert(from, wordSchema.text(text, tr.doc.resolve(from).marks())),
  (tr, from, to) => tr.delete(from, to),
  (tr, from, to, text) => tr.replaceWith(from, to, wordSchema.text(text)),
  (tr, from, to) => tr.addMark(from, to, marks.bold.create()),
  (tr, from, to) => tr.removeMark(from, to, marks.bold),
  (tr, from, to) => tr.addMark(from, to, marks.ins.create({ author: 'Me' })),
  (tr, from, to) => tr.addMark(from, to, marks.del.create({ author: 'Me' })),
  (tr, from, to) => tr.removeMark(from, to, marks.ins),
  (tr, from, to) => tr.removeMark(from, to, marks.del),
  (tr, from, to) => tr.removeMark(from, to, marks.within),
  (tr, from, to) => tr.addMark(from, to, marks.link.create({ href: 'https://example.org/' })),
  (tr, from) => tr.split(from),
  (tr, from) => tr.join(from),
  (tr, from) => tr.setNodeAttribute(from, 'align', 'right'),
  (tr, from) => tr.insert(from, nodes.paragraph.create({}, wordSchema.text('made'))),
  (tr) => tr.replaceWith(0, tr.doc.content.size, nodes.paragraph.create({}, wordSchema.text('nothing left'))),
  ...REVIEW_EDITS,
  ...BREAK_DELETIONS,
];

const roleOf = { comment: 'commenter', review: 'reviewer', fill: 'filler' } as const;

/** What somebody with a part of the rights does with a text document. */
export function wordPlanOf(seed: number): RestrictedPlan {
  const random = randomFrom(seed);
  const right = (['comment', 'review', 'fill'] as const)[Math.floor(random() * 3)]!;
  return {
    kind: stageKinds.word,
    role: roleOf[right],
    source: wordSource,
    judge: (file) => judgeWord(right, wordSource, file),
    changesOf: (model, client) => {
      const steps: Step[] = [];
      let { doc } = parseWordDocument(model as never);
      const count = 1 + Math.floor(random() * 4);
      for (let edit = 0; edit < count; edit += 1) {
        const made = stepsOf(doc, EDITS[Math.floor(random() * EDITS.length)]!, [random(), random()]);
        steps.push(...made.steps);
        doc = made.doc;
      }
      return steps.map((step, number) => encodeChange(client, step, number));
    },
  };
}

/** What an edit does at two shares of the document; nothing where it does not fit. */
function stepsOf(
  doc: Node,
  edit: ReviewEdit,
  shares: readonly number[],
): { steps: readonly Step[]; doc: Node } {
  const [from, to] = shares
    .map((share) => Math.floor(share * doc.content.size))
    .sort((one, other) => one - other);
  const transform = new Transform(doc);
  try {
    edit(transform, from!, to!, 'word');
    return transform;
  } catch {
    return { steps: [], doc };
  }
}
