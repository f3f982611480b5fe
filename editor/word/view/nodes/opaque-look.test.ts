import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { linkTarget } from './links.ts';
import { opaqueLook, opaqueName } from './opaque-look.ts';
import { headingLevel } from './renderer.ts';

const inline = (attrs: Record<string, unknown>) => wordSchema.nodes.opaque_inline.create(attrs);

describe('content that the model only carries along', () => {
  it.for([
    [{ kind: 'field', label: '7' }, 'text'],
    [{ kind: 'field', label: '' }, 'hidden'],
    [{ kind: 'w:footnoteReference', ref: '1' }, 'note'],
    [{ kind: 'w:footnoteReference', ref: '1', label: '*' }, 'note'],
    [{ kind: 'w:drawing', picture: 'media/a.png' }, 'picture'],
    [{ kind: 'w:drawing', label: 'Text' }, 'box'],
    [{ kind: 'w:fldChar' }, 'hidden'],
    [{ kind: 'm:oMath', label: 'x' }, 'box'],
  ] as const)('[VW15] %j looks like %s', ([attrs, look]) => {
    expect(opaqueLook(inline(attrs))).toBe(look);
  });

  it('[VW15] a block is a box, unless it has nothing to show', () => {
    const block = (kind: string) => wordSchema.nodes.opaque_block.create({ kind, label: 'Contents' });
    expect(opaqueLook(block('w:sdt'))).toBe('box');
    expect(opaqueLook(block('w:bookmarkEnd'))).toBe('hidden');
  });

  it('[VW15] boxes say what they are in the words of readers', () => {
    expect(opaqueName('m:oMath')).toBe('view.formula');
    expect(opaqueName('mc:AlternateContent')).toBe('view.drawing');
    expect(opaqueName('x:y')).toBe('view.otherContent');
  });

  it('[VW15] headings are headings for screen readers', () => {
    expect(headingLevel('heading 3')).toBe(3);
    expect(headingLevel('Heading 9')).toBe(6);
    expect(headingLevel('Normal')).toBeNull();
  });

  it('[VW15] links go to addresses that run no code', () => {
    expect(linkTarget('https://example.org/')).toBe('https://example.org/');
    expect(linkTarget(' javascript:alert(1)')).toBeNull();
    expect(linkTarget('data:text/html,x')).toBeNull();
    expect(linkTarget('../api')).toBeNull();
  });
});
