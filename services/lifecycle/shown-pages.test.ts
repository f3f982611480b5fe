import { expect, it } from 'vitest';
import type { OpenedSource, SourceOpening } from '../../db/opened-sources.ts';
import type { ConversionRequest } from './conversions.ts';
import { ShownPages } from './shown-pages.ts';

/** The pages of documents, with an engine that wants the password `right` of what is called `locked`. */
function pages() {
  const asked: ConversionRequest[] = [];
  const kept = new Map<string, OpenedSource>();
  const nameOf = ({ sourceHash, model, variant }: SourceOpening) => `${sourceHash} ${model} ${variant}`;
  const shown = new ShownPages({
    conversions: {
      async convert(request) {
        asked.push(request);
        const { sourceHash, options } = request;
        if (sourceHash === 'locked' && options?.password !== 'right') {
          return { ok: false, errorCode: options?.password ? -91 : -90, message: '' };
        }
        return { ok: true, hash: `pdf of ${sourceHash}`, fileType: 'pdf' };
      },
    },
    openedSources: {
      find: async (source) => kept.get(nameOf(source)) ?? null,
      store: async (source, result) => void kept.set(nameOf(source), result),
    },
  });
  const of = (sourceHash: string, fileType: string, password?: string) =>
    shown.of(
      { sourceHash, fileType, model: 'pages', variant: password ?? '', owner: { key: 'd1' } },
      { password },
    );
  return { asked, of };
}

it('[PV1] a PDF is shown as it is', async () => {
  const { asked, of } = pages();
  expect(await of('a', 'pdf')).toEqual({ ok: true, files: { 'Editor.bin': 'a' } });
  expect(asked).toEqual([]);
});

it('[PV1] anything else is converted once for the same content, in the time that an opening may take', async () => {
  const { asked, of } = pages();
  const opened = { ok: true, files: { 'Editor.bin': 'pdf of a' } };
  expect(await of('a', 'xlsx')).toEqual(opened);
  expect(await of('a', 'xlsx')).toEqual(opened);
  expect(asked).toMatchObject([
    { sourceHash: 'a', fromType: 'xlsx', toType: 'pdf', isInteractive: true, isOpening: true },
  ]);
});

it('[PV5] a password opens nothing for those who have not given it', async () => {
  const { of } = pages();
  expect(await of('locked', 'xlsx')).toEqual({ ok: false, errorCode: -90 });
  expect(await of('locked', 'xlsx', 'wrong')).toEqual({ ok: false, errorCode: -91 });
  expect(await of('locked', 'xlsx', 'right')).toMatchObject({ ok: true });
  expect(await of('locked', 'xlsx')).toEqual({ ok: false, errorCode: -90 });
});
