import { columnChart } from './column-chart.ts';
import { type LookName, ruleLooks } from './sheet-looks.ts';
import { columnName, type SheetCell, xlsxPackage } from './xlsx-package.ts';

const cell = (value: string | number, look: LookName, formula?: string): SheetCell => ({
  value,
  look,
  ...(formula !== undefined && { formula }),
});
/** A row of headers: the first ones are of texts, the others of numbers. */
const headers = (names: readonly string[], texts = 1): SheetCell[] =>
  names.map((name, at) => cell(name, at < texts ? 'header' : 'headerEnd'));
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** A workbook of one empty sheet. */
export const blankWorkbook = (title: string): Uint8Array =>
  xlsxPackage({ title, sheet: 'Sheet1', rows: [], widths: [] });

/** What a household wants to spend in a month, and what it has spent. */
export function budget(title: string): Uint8Array {
  const costs = [
    ['Rent', 950, 950],
    ['Food', 420, 463],
    ['Electricity and heating', 130, 118],
    ['Telephone and internet', 45, 45],
    ['Bus and train', 75, 62],
    ['Insurance', 88, 88],
    ['Clothes', 60, 97],
    ['Going out', 90, 104],
    ['Savings', 250, 250],
  ] as const;
  const firstRow = 5;
  const lastRow = firstRow + costs.length - 1;
  const planned = sum(costs.map(([, one]) => one));
  const spent = sum(costs.map(([, , one]) => one));
  const income = 2_240;
  const rows = costs.map(([name, plan, actual], at) => {
    const row = firstRow + at;
    return [
      cell(name, 'text'),
      cell(plan, 'number'),
      cell(actual, 'number'),
      cell(plan - actual, 'number', `B${row}-C${row}`),
      cell(actual / spent, 'percent', `C${row}/C$${lastRow + 1}`),
    ];
  });
  const total = (column: number, value: number) => {
    const name = columnName(column);
    return cell(value, 'totalNumber', `SUM(${name}${firstRow}:${name}${lastRow})`);
  };
  return xlsxPackage({
    title,
    sheet: 'Budget',
    widths: [28, 14, 14, 14, 12],
    frozenRows: 4,
    rows: [
      [cell('Household budget', 'title')],
      [cell('What we planned for this month, and what we spent', 'note')],
      [],
      headers(['Item', 'Planned', 'Spent', 'Left', 'Share']),
      ...rows,
      [
        cell('All', 'total'),
        total(1, planned),
        total(2, spent),
        total(3, planned - spent),
        cell(1, 'totalPercent', `SUM(E${firstRow}:E${lastRow})`),
      ],
      [],
      [cell('Income', 'text'), cell(income, 'number')],
      [cell('Not spent', 'total'), cell(income - spent, 'totalNumber', `B${lastRow + 3}-C${lastRow + 1}`)],
    ],
    rules: lessThanZero(`D${firstRow}:D${lastRow + 1}`),
  });
}

/** Who does what in a week, for how long, and what is done. */
export function schedule(title: string): Uint8Array {
  // Days and times count from the last day of 1899, in days.
  const monday = 46_146;
  const shifts = [
    [0, 'Open the greenhouse', 'Ann', 9, 11.5, 'Done'],
    [0, 'Water the seedlings', 'Bob', 11.5, 12.5, 'Done'],
    [1, 'Mend the fence', 'Deniz', 13, 17, 'Doing'],
    [1, 'Order apple trees', 'Carla', 10, 11, 'Done'],
    [2, 'Guided tour', 'Ann', 14, 15.5, 'Open'],
    [3, 'Compost', 'Bob', 9, 12, 'Open'],
    [3, 'Paint the shed', 'Deniz', 13, 17.5, 'Open'],
    [4, 'Market stall', 'Carla', 8, 13, 'Open'],
  ] as const;
  const firstRow = 5;
  const lastRow = firstRow + shifts.length - 1;
  const hours = (person?: string) =>
    sum(shifts.filter(([, , who]) => !person || who === person).map(([, , , from, to]) => to - from));
  const rows = shifts.map(([day, task, who, from, to, state], at) => {
    const row = firstRow + at;
    return [
      cell(monday + day, 'day'),
      cell(task, 'text'),
      cell(who, 'text'),
      cell(from / 24, 'time'),
      cell(to / 24, 'time'),
      cell(to - from, 'hours', `(E${row}-D${row})*24`),
      cell(state, 'centre'),
    ];
  });
  const people = ['Ann', 'Bob', 'Carla', 'Deniz'].map((person, at) => [
    null,
    null,
    cell(person, 'text'),
    null,
    null,
    cell(
      hours(person),
      'hours',
      `SUMIF(C$${firstRow}:C$${lastRow},C${lastRow + 3 + at},F$${firstRow}:F$${lastRow})`,
    ),
  ]);
  return xlsxPackage({
    title,
    sheet: 'Week',
    widths: [14, 26, 12, 9, 9, 9, 12],
    frozenRows: 4,
    rows: [
      [cell('Schedule', 'title')],
      [cell('Garden committee, first week of May', 'note')],
      [],
      [
        ...headers(['Day', 'Task', 'Who'], 3),
        cell('From', 'headerCentre'),
        cell('To', 'headerCentre'),
        cell('Hours', 'headerEnd'),
        cell('State', 'headerCentre'),
      ],
      ...rows,
      [
        cell('All', 'total'),
        cell('', 'total'),
        cell('', 'total'),
        cell('', 'total'),
        cell('', 'total'),
        cell(hours(), 'totalHours', `SUM(F${firstRow}:F${lastRow})`),
        cell('', 'total'),
      ],
      [],
      ...people,
    ],
    rules: equalTo(`G${firstRow}:G${lastRow}`, 'Done') + oneOf(`G${firstRow}:G${lastRow}`, 'Open,Doing,Done'),
  });
}

/** Figures of a year as a table that is sorted and filtered, with a chart beside it. */
export function figures(title: string): Uint8Array {
  const names = ['Month', 'Loans', 'Repairs'];
  const months: readonly (readonly [string, number, number])[] = [
    ['January', 61, 3],
    ['February', 74, 5],
    ['March', 148, 9],
    ['April', 231, 14],
    ['May', 287, 16],
    ['June', 262, 12],
    ['July', 219, 9],
    ['August', 204, 8],
    ['September', 251, 13],
    ['October', 312, 21],
    ['November', 143, 7],
    ['December', 58, 2],
  ];
  const headerRow = 3;
  const lastRow = headerRow + months.length;
  return xlsxPackage({
    title,
    sheet: 'Figures',
    widths: [16, 12, 12, 4],
    rows: [
      [cell('Lending library of tools', 'title')],
      [cell('What was lent and mended in its first year', 'note')],
      [],
      names.map((name) => cell(name, 'plain')),
      ...months.map(([month, loans, repairs]) => [
        cell(month, 'plain'),
        cell(loans, 'plain'),
        cell(repairs, 'plain'),
      ]),
    ],
    table: { name: 'Loans', range: `A${headerRow + 1}:C${lastRow + 1}`, columns: names },
    chart: columnChart({
      ...{ title: 'Loans and repairs', sheet: 'Figures', headerRow, names, rows: months },
      place: { from: [headerRow, 4], to: [headerRow + 18, 13] },
    }),
  });
}

/** Numbers below zero are red. */
const lessThanZero = (range: string): string =>
  `<conditionalFormatting sqref="${range}"><cfRule type="cellIs" dxfId="${ruleLooks.bad}" priority="1" operator="lessThan"><formula>0</formula></cfRule></conditionalFormatting>`;

/** What is this word is green. */
const equalTo = (range: string, word: string): string =>
  `<conditionalFormatting sqref="${range}"><cfRule type="cellIs" dxfId="${ruleLooks.good}" priority="1" operator="equal"><formula>"${word}"</formula></cfRule></conditionalFormatting>`;

/** Only one of these words is taken. */
const oneOf = (range: string, words: string): string =>
  `<dataValidations count="1"><dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${range}"><formula1>"${words}"</formula1></dataValidation></dataValidations>`;
