import { describe, expect, test } from 'vitest';
import { type EverydayValue, everydaySections } from '../../model/calculation/testing/everyday-values.ts';
import { areAlike, type Shown } from '../support/formulas/compared-values.ts';
import { whyOther } from '../support/formulas/everyday-differences.ts';
import { everydayWorkbook, shownOfSections } from '../support/formulas/everyday-workbook.ts';
import { calculateWithLibreOffice, hasLibreOffice } from '../support/libreoffice.ts';

const TIMEOUT_MS = 600_000;

const told = (value: Shown) =>
  typeof value === 'object' && value !== null ? value.error : JSON.stringify(value);
const isOfToday = (formula: string) => /TODAY|NOW/.test(formula);
const isNear = ({ value, tolerance }: EverydayValue, shown: Shown): boolean =>
  typeof value === 'number' && typeof shown === 'number' && Math.abs(value - shown) <= tolerance;
/** Functions that LibreOffice does not have give `#NAME?` there. */
const isUnknown = (value: Shown) => told(value) === '#NAME?';

describe.skipIf(!hasLibreOffice)('everyday formulas beside LibreOffice', () => {
  test(
    '[CE106] come to what LibreOffice calculates, but for what is known',
    async () => {
      const [document] = await calculateWithLibreOffice([everydayWorkbook(everydaySections)], TIMEOUT_MS);
      const theirs = shownOfSections(document!, everydaySections);
      const compared = everydaySections.flatMap(({ formulas }, section) =>
        formulas.map((one, index) => ({ ...one, shown: theirs[section]![index]! })),
      );
      const known = compared.filter(({ formula, shown }) => !isUnknown(shown) && !isOfToday(formula));
      const others = known.filter((one) => !areAlike(one.value, one.shown) && !isNear(one, one.shown));
      const unexplained = others.filter(({ formula }) => whyOther(formula) === undefined);
      console.log(
        `everyday formulas: ${known.length} of ${compared.length} compared, ${others.length} differ, ${unexplained.length} of them not known`,
      );
      expect(
        unexplained.map(({ formula, value, shown }) => `${formula}: ${told(value)}, theirs ${told(shown)}`),
      ).toEqual([]);
      expect(known.length).toBeGreaterThan(compared.length * 0.85);
    },
    TIMEOUT_MS,
  );
});
