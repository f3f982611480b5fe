import { labelled, list, paragraph, run, table } from './docx-blocks.ts';
import { docxPackage } from './docx-package.ts';

/** A text document of one empty paragraph. */
export const blankText = (title: string): Uint8Array => docxPackage({ title, body: paragraph('') });

/** What a committee talked about and decided. */
export function minutes(title: string): Uint8Array {
  const body = [
    paragraph('Minutes', { style: 'Title' }),
    paragraph('Garden committee, spring meeting', { style: 'Subtitle' }),
    labelled('When', 'Thursday, 10:00 to 11:30'),
    labelled('Where', 'The greenhouse'),
    labelled('Present', 'Ann, Bob, Carla, Deniz'),
    labelled('Taking notes', 'Bob'),
    paragraph('Agenda', { style: 'Heading1' }),
    list('number', ['Apple trees along the south wall', 'A new shed', 'Open day in June']),
    paragraph('What we talked about', { style: 'Heading1' }),
    paragraph('Apple trees', { style: 'Heading2' }),
    paragraph(
      'The south wall gets sun from nine to five. Carla measured it: there is room for six trees with two metres between them. Old varieties do best there.',
    ),
    paragraph('We plant six trees in October, all of old varieties.', { style: 'Quote' }),
    paragraph('A new shed', { style: 'Heading2' }),
    paragraph('The old shed leaks in three places. Deniz has asked two carpenters for an offer:'),
    list('bullet', [
      'repairing the roof only',
      'a new shed of the same size',
      'a larger one with a rain tank',
    ]),
    paragraph('Who does what', { style: 'Heading1' }),
    table(
      [
        ['Task', 'Who', 'Until'],
        ['Order six apple trees', 'Carla', '1 September'],
        ['Compare the offers for the shed', 'Deniz', 'Next meeting'],
        ['Draft the invitation to the open day', 'Ann', '15 May'],
        ['Water the beds in April', 'Bob', '30 April'],
      ],
      { columns: [4960, 2000, 2400] },
    ),
    paragraph('Next meeting', { style: 'Heading1' }),
    paragraph([run('Thursday in four weeks, 10:00', { bold: true }), run(', in the greenhouse again.')]),
  ];
  return docxPackage({
    title,
    body: body.join(''),
    header: 'Garden committee\tMinutes',
    footer: 'For members\tPage {page}',
  });
}

/** A letter of a firm. */
export function letter(title: string): Uint8Array {
  const sender = ['Lindqvist & Daughters', '14 Harbour Lane', 'Port Amber'];
  const recipient = ['Okafor Boatyard', 'To Mr Bob Okafor', '2 Quay Road', 'Port Amber'];
  const body = [
    paragraph('Lindqvist & Daughters', { style: 'Title' }),
    paragraph(`${sender[1]}, ${sender[2]}`, { style: 'Subtitle' }),
    ...recipient.map((line) => paragraph(line, { style: 'Details' })),
    paragraph('12 March', { align: 'right' }),
    paragraph('Your offer for the two rowing boats', { style: 'Heading2' }),
    paragraph('Dear Mr Okafor,'),
    paragraph(
      'Thank you for your offer of last week. We have read it with pleasure and would like to order both boats, in oak, with the fittings in brass as you propose.',
    ),
    paragraph(
      'Two questions remain before we sign. Could the first boat be ready before the regatta in June? And would you take our old skiff in part payment? She is dry, sound, and needs nothing but paint.',
    ),
    paragraph('If both suits you, we will come to the yard on Friday with the signed order and a cake.'),
    paragraph('Yours sincerely,'),
    paragraph(''),
    paragraph('Ann Lindqvist', { bold: true }),
  ];
  return docxPackage({
    title,
    body: body.join(''),
    footer: 'Lindqvist & Daughters, Port Amber\tPage {page}',
  });
}

/** A report with a table and a quotation. */
export function report(title: string): Uint8Array {
  const body = [
    paragraph('Field report', { style: 'Title' }),
    paragraph('One year of the lending library of tools', { style: 'Subtitle' }),
    paragraph(
      'Twelve months ago the neighbourhood put its drills, saws and ladders into one cellar. This report says what became of it, in figures and in words.',
    ),
    paragraph('In short', { style: 'Heading1' }),
    list('bullet', [
      '214 households take part, twice as many as expected.',
      'A tool is lent for two days on average, and comes back clean nine times out of ten.',
      'The cellar is too small by half.',
    ]),
    paragraph('Figures', { style: 'Heading1' }),
    table(
      [
        ['Quarter', 'Households', 'Loans', 'Repairs'],
        ['Spring', '61', '148', '3'],
        ['Summer', '122', '417', '9'],
        ['Autumn', '187', '503', '14'],
        ['Winter', '214', '296', '6'],
      ],
      { columns: [3360, 2000, 2000, 2000], endAligned: [1, 2, 3] },
    ),
    paragraph('What people borrow', { style: 'Heading2' }),
    paragraph(
      'The drill is out every weekend of the year. The apple press is wanted in two weeks of October only, but then by everybody at once; a second one would be used as little as the first.',
    ),
    paragraph('What people say', { style: 'Heading2' }),
    paragraph('I have not bought a tool since, and I know my neighbours by name.', { style: 'Quote' }),
    paragraph('What is needed next', { style: 'Heading1' }),
    list('number', [
      'A second room, dry and on the ground floor.',
      'An evening a month on which tools are mended together.',
      'A list of everything that can be read at home.',
    ]),
    paragraph('Method', { style: 'Heading2' }),
    paragraph(
      'The figures are from the book of loans that lies beside the door. Households that took part for less than a month are not counted.',
    ),
  ];
  return docxPackage({
    title,
    body: body.join(''),
    header: 'Field report\tLending library of tools',
    footer: 'First year\tPage {page}',
  });
}
