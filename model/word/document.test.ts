import { describe, expect, test } from 'vitest';
import { parseWordDocument } from './document.ts';

const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'text' }] };
const document = (doc: unknown, more = {}) => ({
  format: 'quire-word',
  version: 3,
  doc,
  rx: [],
  styles: [],
  defaults: { paragraph: {}, run: {} },
  lists: [],
  sections: [],
  parts: [],
  footnotes: {},
  endnotes: {},
  settings: {
    trackChanges: false,
    evenAndOddHeaders: false,
    defaultTabStop: 720,
    majorFont: null,
    minorFont: null,
  },
  media: [],
  ...more,
});

describe('the JSON of a word document', () => {
  test('[W2] gives its nodes when they fit the schema', () => {
    const { doc } = parseWordDocument(document({ type: 'doc', content: [paragraph] }));
    expect(doc.textContent).toBe('text');
  });

  test.each([
    ['nothing', undefined],
    ['another format', document({ type: 'doc', content: [paragraph] }, { format: 'other' })],
    ['another version', document({ type: 'doc', content: [paragraph] }, { version: 1 })],
    ['a root that is no document', document(paragraph)],
    ['an empty document', document({ type: 'doc' })],
    ['an unknown node', document({ type: 'doc', content: [{ type: 'script' }] })],
    ['a bad attribute', document({ type: 'doc', content: [{ ...paragraph, attrs: { align: 'evil' } }] })],
    ['extras that are no text', document({ type: 'doc', content: [paragraph] }, { rx: [1] })],
  ])('[W2] refuses %s', (_what, value) => {
    expect(() => parseWordDocument(value)).toThrow(TypeError);
  });
});
