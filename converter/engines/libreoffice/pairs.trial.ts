import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsOffice, realOffice, startOffice } from '../../../test/support/office.ts';
import { contentOf, pictureSize } from '../../../test/support/office-results.ts';
import {
  fb2Seed,
  flatSeed,
  olderSeed,
  seedWords,
  workbook2003Seed,
} from '../../../test/support/office-seeds.ts';
import { vsdxSeed, xlsbSeed } from '../../../test/support/package-seeds.ts';
import { hasPoppler } from '../../../test/support/poppler.ts';
import { type ConversionOptions, pictureTypes, webTable } from '../../formats/conversion.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { libreofficePairs } from './ability.ts';
import { type OfficeModule, readerOf } from './filters.ts';
import { libreofficeEngine } from './libreoffice-engine.ts';
import type { OfficePool } from './office-pool.ts';

/** Every pair takes minutes; otherwise each type is read and written once at least. */
const all = process.env.ALL_PAIRS === '1';

const seeds = { writer: 'fodt', calc: 'fods', impress: 'fodp', draw: 'fodg' } as const satisfies Record<
  OfficeModule,
  string
>;

/** Sources that nothing here writes. */
const given: Readonly<Record<string, () => Uint8Array>> = {
  fb2: () => fb2Seed,
  xml: () => workbook2003Seed,
  xlsb: xlsbSeed,
  vsdx: vsdxSeed,
  ...Object.fromEntries((['sxw', 'stw', 'sxc', 'sxi'] as const).map((type) => [type, () => olderSeed(type)])),
};
const sameAs: Readonly<Record<string, string>> = { htm: 'html' };

/** What of a seed a format cannot hold. */
const withoutPictures = new Set('txt csv tsv slk'.split(' '));
const oneSheet = new Set(['csv', 'tsv', 'slk', 'html', webTable]);

describe.skipIf(!realOffice || !hasPoppler)(
  `what LibreOffice converts, ${needsOffice} and poppler-utils`,
  { timeout: all ? 900_000 : 60_000 },
  () => {
    let pool: OfficePool;
    let engine: ConversionEngine;
    const made = new Map<string, Promise<Uint8Array>>();

    beforeAll(async () => {
      pool = await startOffice({ size: 2 });
      engine = libreofficeEngine(pool, { version: realOffice!.version });
    });
    afterAll(() => pool.close());

    const convert = (source: Uint8Array, fromType: string, toType: string, options: ConversionOptions = {}) =>
      engine.convert(source, { fromType, toType, options }, []);

    function sourceOf(type: string): Promise<Uint8Array> {
      const same = sameAs[type] ?? type;
      const known = made.get(same);
      if (known !== undefined) return known;
      const source = makeSource(same);
      made.set(same, source);
      return source;
    }

    async function makeSource(type: string): Promise<Uint8Array> {
      if (given[type]) return given[type]();
      if (type === webTable) return convert(flatSeed('fods'), 'fods', 'html');
      const { module } = readerOf(type)!;
      const seed = type === 'pdf' ? 'fodt' : seeds[module];
      if (type === seed) return flatSeed(seed);
      // Only from a format that can hold macros something becomes a format with macros.
      const through = ['docm', 'dotm', 'xlsm', 'xltm', 'pptm', 'ppsm', 'potm'].includes(type);
      const ooxml = { writer: 'docx', calc: 'xlsx', impress: 'pptx', draw: 'odg' }[module];
      return through ? convert(await sourceOf(ooxml), ooxml, type) : convert(flatSeed(seed), seed, type);
    }

    async function check(fromType: string, toType: string): Promise<void> {
      const source = await sourceOf(fromType);
      const { module } = readerOf(fromType)!;
      if (pictureTypes.includes(toType)) return checkPictures(source, fromType, toType);
      const result = await convert(source, fromType, toType);
      const found = await contentOf(result, toType);
      if (found.calledType !== undefined) expect(found.calledType).toBe(toType);
      const text = found.text.normalize();
      expect(text).toContain(seedWords.first);
      const isFirstSheetOnly = module === 'calc' && oneSheet.has(toType) && toType !== 'html';
      expect(text.includes(seedWords.last) || text.includes('Gr&ouml;&szlig;e')).toBe(true);
      if (module === 'writer' || module === 'calc') expect(text).toContain(seedWords.cell);
      if (module === 'calc' && !given[fromType] && !oneSheet.has(fromType) && !isFirstSheetOnly) {
        expect(text.replaceAll('\0', '')).toContain('Kiwi');
      }
      const hasPicture = !given[fromType] && module !== 'calc' && !withoutPictures.has(fromType);
      if (hasPicture && found.pictures !== undefined) expect(found.pictures).toBeGreaterThan(0);
      if (found.parts !== undefined && !given[fromType] && !oneSheet.has(fromType) && !isFlowing(fromType)) {
        expect(found.parts).toBe(module === 'writer' && toType !== 'pdf' && toType !== 'pdfa' ? 1 : 2);
      }
    }

    /** Page breaks are no part of these. */
    const isFlowing = (type: string) => ['txt', 'html', 'htm'].includes(type);

    async function checkPictures(source: Uint8Array, fromType: string, toType: string): Promise<void> {
      const thumbnail = { aspect: 0, width: 64, height: 48 };
      const picture = await convert(source, fromType, toType, { thumbnail });
      expect(pictureSize(picture, toType)).toEqual([64, 48]);
      const zip = unzipSync(
        await convert(source, fromType, toType, { thumbnail: { ...thumbnail, first: false } }),
      );
      const names = Object.keys(zip).sort();
      const hasTwo = !given[fromType] && !oneSheet.has(fromType) && !isFlowing(fromType);
      if (hasTwo) expect(names).toEqual([`0001.${toType}`, `0002.${toType}`]);
      expect(Buffer.compare(zip[names[0]!]!, picture)).toBe(0);
      // A page with something on it is not like the one with something else.
      if (hasTwo) expect(Buffer.compare(zip[names[0]!]!, zip[names[1]!]!)).not.toBe(0);
    }

    const types = [...libreofficePairs.keys()];
    const written = new Set<string>();

    /** Each target at the first source that has it and nothing else to show; each source at one target at least. */
    function chosen(type: string): string[] {
      const targets = [...libreofficePairs.get(type)!].filter((target) => target !== type);
      if (all) return targets;
      const { module } = readerOf(type)!;
      const fresh = targets.filter((target) => !written.has(`${module} ${target}`));
      const some =
        type === seeds[module] ? fresh : [targets.find((target) => target === 'pdf') ?? targets[0]!];
      for (const target of some) written.add(`${module} ${target}`);
      return some;
    }
    const plan = Object.values(seeds).concat(
      types.filter((type) => !Object.values<string>(seeds).includes(type)) as never[],
    );

    it.concurrent.each(plan.map((type) => [type, chosen(type)] as const))(
      '[LF1] %s is converted with its words, pages and pictures to %s',
      async (type, targets) => {
        const failed: string[] = [];
        for (const target of targets) {
          const started = performance.now();
          await check(type, target).catch((error: Error) =>
            failed.push(`${type} to ${target}: ${error.message.split('\n')[0]}`),
          );
          if (process.env.SHOW_TIMES) console.log(type, target, Math.round(performance.now() - started));
        }
        expect(failed).toEqual([]);
      },
    );
  },
);
