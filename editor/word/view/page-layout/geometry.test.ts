import { describe, expect, it } from 'vitest';
import type { WordSection } from '../../../../model/word/document.ts';
import { clampZoom, nextZoom } from '../../../shell/zoom.ts';
import { pageGeometry, pageRule, sectionRules } from './geometry.ts';
import { fittingZoom } from './zoom.ts';

const none = { default: null, first: null, even: null };
const section = (given: Partial<WordSection> = {}): WordSection => ({
  lastBlock: null,
  headers: none,
  footers: none,
  titlePage: false,
  columns: 1,
  headerDistance: 720,
  footerDistance: 720,
  width: 11_906,
  height: 16_838,
  marginTop: 1_440,
  marginRight: 1_440,
  marginBottom: 1_440,
  marginLeft: 1_440,
  ...given,
});

describe('the paper', () => {
  it('[VW24] has the width and margins of the first section and the foot of the last', () => {
    const css = pageGeometry([section({ width: 12_240 }), section({ marginBottom: 2_000 })]);
    expect(css).toMatchObject({
      '--page-width': '612pt',
      '--margin-left': '72pt',
      '--margin-bottom': '100pt',
    });
  });

  it('[VW24] is A4 where nothing is said, and margins leave room for text', () => {
    expect(pageGeometry([])).toMatchObject({ '--page-width': '595.3pt', '--margin-top': '72pt' });
    const css = pageGeometry([section({ marginLeft: 9_000, marginTop: -500, width: 0 })]);
    expect(css).toMatchObject({
      '--page-width': '595.3pt',
      '--margin-left': '238.1pt',
      '--margin-top': '25pt',
    });
  });

  it('[VW24] the paper is as wide as its widest section, and blocks of others end earlier', () => {
    const wide = section({ width: 16_838, height: 11_906, lastBlock: 'p5' });
    const sections = [section({ lastBlock: 'p1' }), wide, section()];
    expect(pageGeometry(sections)['--page-width']).toBe('841.9pt');
    expect(sectionRules(sections, '.paper').split('\n').slice(1, 4)).toEqual([
      '.paper .ProseMirror > * { margin-inline-end: 246.6pt; }',
      '.paper .ProseMirror > .section-end-0 ~ * { margin-inline-end: revert-layer; }',
      '.paper .ProseMirror > .section-end-1 ~ * { margin-inline-end: 246.6pt; }',
    ]);
    expect(sectionRules([section({ lastBlock: 'p1' }), section()], '.paper')).toBe('');
  });

  it('[VW26] paper has the size of the section, and margins as far as header and footer', () => {
    expect(pageRule([section()])).toBe('@page { size: 595.3pt 841.9pt; margin: 36pt 72pt 36pt 72pt; }\n');
  });

  it('[VW25] zooming goes by usual sizes and keeps its limits', () => {
    expect(nextZoom(1, 1)).toBe(1.1);
    expect(nextZoom(1, -1)).toBe(0.9);
    expect(nextZoom(4, 1)).toBe(4);
    expect(clampZoom(0.01)).toBe(0.25);
    expect(fittingZoom([section({ width: 12_000 })], 848)).toBe(1);
    expect(fittingZoom([section({ width: 12_000, height: 15_000 })], 848, 548)).toBe(0.5);
  });
});
