import { calculatedContent } from '../../../model/cell/calculated-contents.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, isSameCell } from '../grid/cell-areas.ts';
import { inputOf } from './cell-input.ts';
import {
  calculatedFormulas,
  choicesOf,
  choicesOfValues,
  mostChoices,
  type Operands,
  type Validation,
} from './validation.ts';

/** So long an entry waits for the formulas of its rule. After that it is let in, and people are told. */
const patienceMs = 1_000;

/** What is entered, and where. */
export interface Entry {
  readonly sheet: Sheet;
  readonly cell: CellPosition;
  readonly text: string;
}

/** What is known of a rule for an entry. */
export interface RuleFacts {
  readonly choices: readonly string[] | null;
  readonly operands: Operands;
  /** Nobody has calculated what is asked for. */
  readonly isUnknown: boolean;
}

/** A rule whose formulas are being calculated for an entry. */
interface Check {
  readonly entry: Entry;
  readonly rule: Validation;
  /** Null while it is waited for. */
  facts: RuleFacts | null;
}

const checks = new WeakMap<CellEditor, Check>();

/**
 * What is known of a rule for an entry; null while it is being calculated: \`then\` is called when the same question has an answer,
 * after a second at most.
 */
export function ruleFacts(
  editor: CellEditor,
  rule: Validation,
  entry: Entry,
  then: () => void,
): RuleFacts | null {
  const { sheet, cell, text } = entry;
  const choices = choicesOf(rule, editor.page.workbook.peek(), sheet, cell, editor.page.settings);
  if (calculatedFormulas(rule, choices).length === 0) return { choices, operands: [], isUnknown: false };
  const before = checks.get(editor);
  const isSame =
    before?.rule === rule &&
    before.entry.text === text &&
    before.entry.sheet.id === sheet.id &&
    isSameCell(before.entry.cell, cell);
  if (isSame) {
    // Another time the same may be another case.
    if (before.facts) checks.delete(editor);
    return before.facts;
  }
  const check: Check = { entry, rule, facts: null };
  checks.set(editor, check);
  const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
  void Promise.race([calculatedFacts(editor, rule, entry), late]).then((facts) => {
    check.facts = facts ?? { choices, operands: [], isUnknown: true };
    if (checks.get(editor) === check) then();
  });
  return null;
}

/** What the formulas of a rule come to once something is entered. */
export async function calculatedFacts(
  editor: CellEditor,
  rule: Validation,
  { sheet, cell, text }: Entry,
): Promise<RuleFacts> {
  const choices = choicesOf(rule, editor.page.workbook.peek(), sheet, cell, editor.page.settings);
  const asked = calculatedFormulas(rule, choices);
  if (asked.length === 0) return { choices, operands: [], isUnknown: false };
  const { input } = inputOf(
    text,
    editor.page.editedCell(cell, editor.page.viewOf(sheet)),
    editor.page.settings,
  );
  const { f, v = null } = input;
  const content = calculatedContent({ formula: f === undefined ? null : Formula.ofJson(f), value: v });
  const assumed = rule.type === 'custom' ? content : undefined;
  const most = rule.type === 'list' ? mostChoices : 1;
  const answers = await Promise.all(
    asked.map((place) => editor.cells.ruleAnswer(sheet.id, ruleFormula(rule, place), cell, most, assumed)),
  );
  const [first] = answers;
  if (rule.type === 'list')
    return {
      choices: first ? choicesOfValues(first, editor.page.settings) : null,
      operands: [],
      isUnknown: first === undefined,
    };
  const operands = rule.formulas.map((_, place) => answers[asked.indexOf(place)]?.[0]);
  return { choices, operands, isUnknown: answers.includes(undefined) };
}

/** The formula of a rule at a place, and the cell that it is seen from. */
export function ruleFormula({ areas, formulas }: Validation, place: number) {
  const [row, column] = areas[0]!;
  return { text: formulas[place]!, row, column };
}
