import { Transform } from 'prosemirror-transform';
import { expect, test } from 'vitest';
import { encodeChange } from '../../../../model/word/change.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { docxEngine, openDocx } from './docx-engine.ts';
import { positionOf } from './testing/docx-edit.ts';

const locked =
  '<w:sdt><w:sdtPr><w:lock w:val="contentLocked"/></w:sdtPr><w:sdtContent>' +
  '<w:p><w:r><w:t>Locked</w:t></w:r></w:p></w:sdtContent></w:sdt>';
const bytes = buildDocx({ body: `${locked}<w:p><w:r><w:t>Free</w:t></w:r></w:p>` });

/** As a version that knew nothing of what controls hold gave it to editors. */
const earlier = () => {
  const { controls: _controls, ...model } = openDocx(bytes).model();
  return { ...model, version: 2 };
};
const typedIn = (text: string) => {
  const { doc } = openDocx(bytes);
  const [step] = new Transform(doc).insert(positionOf(doc, text), doc.type.schema.text('typed ')).steps;
  return { change: encodeChange('c', step!), author: { name: 'Ann' } };
};
const log = () => ({ checkpoint: null, changes: [typedIn('Locked')], wantsCheckpoint: false });

test('[FD75] a log that an earlier version made applies by the rights of that time', () => {
  const made = docxEngine.assemble(bytes, log(), { earlier: earlier() });
  expect(made.applied).toBe(1);
  expect(openDocx(made.bytes).doc.textContent).toBe('typed LockedFree');
  expect(docxEngine.assemble(bytes, log(), {}).skipped).toBe(1);
});

test.each([
  [
    'the file is another document now',
    () => ({ ...earlier(), doc: openDocx(buildDocx({ paragraphs: ['x'] })).doc.toJSON() }),
  ],
  ['the version is not known', () => ({ ...earlier(), version: 1 })],
  ['it is none', () => 'nothing'],
])('[FD75] a log is refused where %s', (_case, made) => {
  expect(() => docxEngine.assemble(bytes, log(), { earlier: made() })).toThrow(
    'another version of the model',
  );
});
