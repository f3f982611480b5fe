import { formulaFault } from '../editing/formula-fault.ts';
import { fieldText } from './field-text.ts';

/**
 * Why one of the values of a form, which begins as a formula, cannot be one; null if all can.
 * @param areFormulas whether they are formulas however they begin
 */
export function valueFault(fields: FormData, areFormulas: boolean, locale: string): string | null {
  for (const name of ['one', 'two']) {
    const text = fieldText(fields, name).replace(/^(?!=)/, areFormulas ? '=' : '');
    if (!text.startsWith('=') || text === '=') continue;
    const fault = formulaFault(text, locale);
    if (fault) return fault;
  }
  return null;
}
