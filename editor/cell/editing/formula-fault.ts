import { t } from '../../strings/strings.ts';
import { closedFormula, syntaxFault } from './formula-syntax.ts';

const faults = {
  missing: 'sheet.faultMissing',
  beside: 'sheet.faultBeside',
  sign: 'sheet.faultSign',
  open: 'sheet.faultOpen',
  few: 'sheet.faultFew',
  many: 'sheet.faultMany',
  levels: 'sheet.faultLevels',
  arguments: 'sheet.faultArguments',
  textChars: 'sheet.faultTextChars',
} as const;

const mostShown = 40;

/**
 * Why a text with the sign that begins a formula cannot be one, as a sentence; null if it can.
 * @param hasTable whether columns may stand without the name of their table
 */
export function formulaFault(text: string, locale: string, hasTable = false): string | null {
  const fault = syntaxFault(closedFormula(text).slice(1), locale, hasTable);
  return fault && t(faults[fault.kind], { sign: fault.sign.slice(0, mostShown) });
}
