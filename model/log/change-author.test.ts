import { describe, expect, it } from 'vitest';
import { grantsOf, limitsOf } from './change-author.ts';

describe('what permissions leave somebody to do', () => {
  it.each([
    ['everything unless said otherwise', undefined, 'edit', undefined],
    ['everything with the right to edit', { edit: true, review: false }, 'edit', undefined],
    ['a review', { edit: false, review: true }, 'edit', ['review']],
    [
      'a review with comments',
      { edit: false, review: true, comment: true, fillForms: true },
      null,
      ['review', 'comment'],
    ],
    ['comments', { edit: false, comment: true }, 'edit', ['comment']],
    ['forms before comments', { edit: false, comment: true, fillForms: true }, 'edit', ['fill']],
    ['forms by the mode', {}, 'fillForms', ['fill']],
    ['forms by the mode as it is sometimes written', { edit: false, review: true }, 'fillforms', ['fill']],
    ['nothing by the mode without the right', { fillForms: false }, 'fillForms', []],
    ['nothing by the mode for who may only look', { edit: false, comment: true }, 'fillForms', []],
    ['nothing', { edit: false }, 'edit', []],
  ])('[RL1] %s', (_name, permissions, mode, may) => {
    expect(limitsOf(permissions, mode)).toEqual(may);
  });

  it.each([
    ['nothing unless said otherwise', undefined, {}],
    ['nothing where it is granted', { protect: true, modifyFilter: true }, {}],
    ['to protect', { protect: false }, { mayNot: ['protect'] }],
    ['to filter', { modifyFilter: false }, { mayNot: ['filter'] }],
    ['both', { edit: true, protect: false, modifyFilter: false }, { mayNot: ['protect', 'filter'] }],
    ['what is granted no more', { edit: false, comment: true, protect: false }, { may: ['comment'] }],
  ])('[RL12] from who may change everything is kept %s', (_name, permissions, grants) => {
    expect(grantsOf(permissions, 'edit')).toEqual(grants);
  });
});
