import { Fragment, type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { CHANGE_LIMITS, decodeEnvelope } from '../log/change.ts';
import { applyChange, applyChanges, encodeChange } from './change.ts';
import { WORD_LIMITS } from './limits.ts';
import { wordSchema } from './schema.ts';

const { nodes, marks } = wordSchema;
const paragraph = (content: string) => nodes.paragraph.create(null, wordSchema.text(content));
const doc = nodes.doc.create(null, [paragraph('one'), paragraph('two')]);

const change = (step: unknown) => JSON.stringify({ c: 'client', s: step });
const replace = (from: number, to: number, content: unknown[], open = 0) =>
  change({ stepType: 'replace', from, to, slice: { content, openStart: open, openEnd: open } });
const attribute = (pos: number, attr: string, value: unknown) =>
  change({ stepType: 'attr', pos, attr, value });
const text = (content: string, ...on: unknown[]) => ({ type: 'text', text: content, marks: on });

describe('changes of the word model', () => {
  test('[W7] a change survives its encoding', () => {
    const [step] = new Transform(doc).insert(1, wordSchema.text('x')).steps;
    expect(decodeEnvelope(encodeChange('me', step!))).toEqual({ clientId: 'me', step: step!.toJSON() });
    expect((applyChange(doc, encodeChange('me', step!)) as Node).textContent).toBe('xonetwo');
  });

  test('[W7] a document that is too large takes what makes it smaller, and nothing that makes it larger', () => {
    const size = WORD_LIMITS.documentPositions;
    const large = nodes.doc.create(null, [paragraph('x'.repeat(size))]);
    const changed = (edit: (tr: Transform) => Transform) =>
      applyChange(large, encodeChange('me', edit(new Transform(large)).steps[0]!));
    const smaller = changed((tr) => tr.delete(1, 2)) as Node;
    expect(smaller.content.size).toBe(size + 1);
    expect(changed((tr) => tr.insert(1, wordSchema.text('y')))).toBe('document-too-large');
    expect(typeof changed((tr) => tr.replaceWith(1, 2, wordSchema.text('y')))).not.toBe('string');
  });

  test.each([
    ['no JSON', 'x', 'malformed'],
    ['not an object', '3', 'malformed'],
    ['null', 'null', 'malformed'],
    ['no client', '{"s":{}}', 'malformed'],
    ['a client that is a number', '{"c":1,"s":{}}', 'malformed'],
    ['a client id without end', JSON.stringify({ c: 'x'.repeat(1000), s: {} }), 'malformed'],
    ['no step', '{"c":"a"}', 'malformed'],
    ['a step that is a list', '{"c":"a","s":[]}', 'malformed'],
    ['an unknown step', change({ stepType: 'format-disk' }), 'unknown-step'],
    ['a step named like an object method', change({ stepType: 'constructor' }), 'unknown-step'],
    ['a fraction', replace(1.5, 2, []), 'malformed'],
    ['a negative position', replace(-1, 2, []), 'malformed'],
    ['a position that is text', change({ stepType: 'replace', from: '1', to: 1 }), 'malformed'],
    ['a position beyond the end', replace(1, 99, []), 'out-of-range'],
    ['a range in reverse', replace(3, 1, [text('copied')]), 'out-of-range'],
    [
      'a gap outside of its range',
      change({ stepType: 'replaceAround', from: 0, to: 5, gapFrom: 1, gapTo: 7, insert: 0 }),
      'out-of-range',
    ],
    ['a slice opened too deeply', replace(1, 1, [text('x')], 1), 'invalid-content'],
    ['an empty slice that is open', replace(1, 1, [], 1), 'invalid-content'],
    ['a slice opened below zero', replace(1, 1, [text('x')], -1), 'malformed'],
    ['text among blocks', replace(0, 0, [text('x')]), 'invalid-content'],
    ['an unknown node', replace(0, 0, [{ type: 'script' }]), 'invalid-content'],
    [
      'a cell outside of a row',
      replace(0, 0, [{ type: 'table_cell', content: [{ type: 'paragraph' }] }]),
      'invalid-content',
    ],
    ['a table without rows inside a valid place', replace(0, 0, [{ type: 'table' }]), 'invalid-content'],
    [
      'a bad block inside of good ones',
      replace(0, 0, [{ type: 'table', content: [{ type: 'table_row', content: [{ type: 'table_cell' }] }] }]),
      'invalid-content',
    ],
    ['an attribute of a wrong type', attribute(0, 'indentLeft', '720'), 'invalid-content'],
    ['an attribute that is an object', attribute(0, 'style', { toString: 1 }), 'invalid-content'],
    ['an alignment that Word does not know', attribute(0, 'align', 'evil'), 'invalid-content'],
    ['an attribute of a text', attribute(1, 'style', 'x'), 'invalid-content'],
    [
      'a path out of the media folder',
      replace(1, 1, [{ type: 'image', attrs: { src: 'media/../x.png' } }]),
      'invalid-content',
    ],
    ['a picture without a path', replace(1, 1, [{ type: 'image' }]), 'invalid-content'],
    ['an unknown mark', replace(1, 1, [text('x', { type: 'blink' })]), 'invalid-content'],
    [
      'two marks that exclude each other',
      replace(1, 1, [
        text('x', { type: 'size', attrs: { halfPoints: 20 } }, { type: 'size', attrs: { halfPoints: 22 } }),
      ]),
      'invalid-content',
    ],
    [
      'a mark on a block',
      change({ stepType: 'addNodeMark', pos: 0, mark: { type: 'bold' } }),
      'invalid-content',
    ],
    ['a control character', replace(1, 1, [text('\u0000')]), 'invalid-content'],
    ['half of a character', replace(1, 1, [text('\ud83d')]), 'invalid-content'],
    ['no text', replace(1, 1, [text('')]), 'invalid-content'],
    ['a document without blocks', replace(0, doc.content.size, []), 'invalid-content'],
    [
      'steps in steps',
      change({ stepType: 'markSet', steps: [{ stepType: 'replace', from: 0, to: 0 }] }),
      'unknown-step',
    ],
    [
      'too many steps in one',
      change({ stepType: 'markSet', steps: Array(WORD_LIMITS.markSteps + 1).fill({}) }),
      'too-large',
    ],
    ['brackets without end', '['.repeat(1_000_000), 'too-deep'],
    ['deep JSON', change(JSON.parse('['.repeat(500) + ']'.repeat(500))), 'too-deep'],
    ['a huge change', ' '.repeat(CHANGE_LIMITS.changeChars + 1), 'too-large'],
  ])('[W7] %s is skipped', (_what, string, reason) => {
    const before = JSON.stringify(doc);
    expect(applyChange(doc, string)).toBe(reason);
    expect(JSON.stringify(doc)).toBe(before);
  });

  test('[FD20] what undoes a replaced link and a format at once applies on every replica', () => {
    const link = (href: string) => marks.link.create({ href });
    const transform = new Transform(doc).addMark(1, 4, link('https://one.example'));
    const linked = transform.doc;
    transform.addMark(2, 4, link('https://two.example')).addMark(1, 4, link('https://three.example'));
    let current = transform.doc;
    for (let index = transform.steps.length - 1; index > 0; index--) {
      // Twice the other way round is what redoing does.
      const undone = transform.steps[index]!.invert(transform.docs[index]!);
      const redone = undone.invert(current);
      const back = redone.invert(undone.apply(current).doc!);
      for (const step of [undone, redone, back]) {
        const after = applyChange(current, encodeChange('c', step));
        if (typeof after === 'string') throw new Error(after);
        current = after;
      }
    }
    expect(current.eq(linked)).toBe(true);
  });

  test('[W7] nesting adds up over changes to a limit', () => {
    let current = doc;
    let reason: unknown;
    for (let depth = 0; depth < WORD_LIMITS.documentDepth && typeof reason !== 'string'; depth++) {
      const wrap = new Slice(Fragment.from(nodes.block_wrap.create(null, current.content)), 0, 0);
      const result = applyChange(current, encodeChange('c', new ReplaceStep(0, current.content.size, wrap)));
      if (typeof result === 'string') reason = result;
      else current = result;
    }
    expect(reason).toBe('too-deep');
  });

  test('[W7] half of a character left by a deletion is skipped', () => {
    const emoji = nodes.doc.create(null, paragraph('a😀b'));
    expect(applyChange(emoji, replace(2, 3, []))).toBe('invalid-content');
    expect((applyChange(emoji, replace(2, 4, [])) as Node).textContent).toBe('ab');
  });

  test('[W7] keys that could reach prototypes do nothing', () => {
    const hostile =
      '{"c":"x","__proto__":{"polluted":1},"s":{"stepType":"attr","pos":0,"attr":"__proto__","value":{"polluted":1}}}';
    const result = applyChange(doc, hostile);
    expect((result as Node).eq(doc)).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const attrs = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    applyChange(doc, replace(0, 0, [{ type: 'paragraph', attrs }]));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('[W7] skipped changes are counted by their index in the log, and the others apply', () => {
    const insert = (content: string) =>
      encodeChange('c', new Transform(doc).insert(1, wordSchema.text(content)).steps[0]!);
    const {
      doc: after,
      applied,
      skipped,
    } = applyChanges(doc, [insert('a'), 'bad', insert('b'), replace(500, 501, [])], 100);
    expect(after.firstChild?.textContent).toBe('baone');
    expect(applied).toBe(2);
    expect(skipped).toEqual([
      { index: 101, reason: 'malformed' },
      { index: 103, reason: 'out-of-range' },
    ]);
  });

  test('[W7] marks are kept where a mark set is applied', () => {
    const set = change({
      stepType: 'markSet',
      steps: [
        { stepType: 'addMark', mark: { type: 'bold' }, from: 1, to: 3 },
        { stepType: 'addMark', mark: { type: 'italic' }, from: 2, to: 3 },
      ],
    });
    expect((applyChange(doc, set) as Node).firstChild?.toString()).toBe(
      'paragraph(bold("o"), bold(italic("n")), "e")',
    );
    expect(marks.bold.create().attrs.on).toBe(true);
  });
});
