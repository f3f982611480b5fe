import { describe, expect, test } from 'vitest';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';

describe('the model of a document', () => {
  test('[W2] has styles, defaults, lists, pages and pictures beside the text', () => {
    const base = buildDocx({ paragraphs: [{ text: 'Title', style: 'Title', bold: true }, 'text'] });
    const model = openDocx(base).model();
    expect(model).toMatchObject({ format: 'quire-word', version: 3, rx: [], lists: [], media: [] });
    expect(model.styles.find(({ id }) => id === 'Heading1')).toEqual({
      id: 'Heading1',
      name: 'heading 1',
      type: 'paragraph',
      basedOn: 'Normal',
      next: 'Normal',
      isDefault: false,
      paragraph: { keepNext: true, spaceBefore: 240, spaceAfter: 0 },
      run: { bold: { on: true }, size: { halfPoints: 32 } },
      extra: '',
      contextualSpacing: null,
      tabStops: [],
    });
    expect(model.defaults.run).toEqual({ font: { name: 'Calibri' }, size: { halfPoints: 22 } });
    expect(model.sections).toEqual([
      {
        lastBlock: null,
        headers: { default: null, first: null, even: null },
        footers: { default: null, first: null, even: null },
        titlePage: false,
        columns: 1,
        headerDistance: 708,
        footerDistance: 708,
        width: 11906,
        height: 16838,
        marginTop: 1440,
        marginRight: 1440,
        marginBottom: 1440,
        marginLeft: 1440,
      },
    ]);
  });

  test('[W2] is the same for the same bytes, ids included', () => {
    const base = buildDocx({ paragraphs: ['a', 'b'] });
    expect(openDocx(base).model()).toEqual(openDocx(base).model());
  });

  test('[W2] numbers its blocks in document order', () => {
    const ids: unknown[] = [];
    openDocx(buildDocx({ paragraphs: ['a', 'b', 'c'] })).doc.forEach((block) => {
      ids.push(block.attrs.id);
    });
    expect(ids).toEqual(['p0', 'p1', 'p2']);
  });
});
