import { MAIN, OFFICE, type WorkbookFixture } from './workbook-fixture.ts';

const LINK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
/** The part of a link, by its number. */
export const linkPartName = (number: number) => `xl/externalLinks/externalLink${number}.xml`;

/** A workbook whose formulas read two others. */
export const linkingTwo = {
  sheets: [
    {
      rows:
        '<row r="1"><c r="A1"><f>[1]Rates!A1*2</f><v>20</v></c><c r="B1"><f>SUM([1]Rates!A1:A3)</f><v>30</v></c>' +
        '<c r="C1"><f>[1]!Total</f><v>20</v></c><c r="D1"><f>[1]Rates!Z9</f><v>7</v></c><c r="E1"><f>[2]Other!A1</f><v>5</v></c>' +
        '<c r="F1"><f>SHEETS()</f><v>1</v></c></row>',
    },
  ],
  after:
    '<externalReferences><externalReference r:id="rId3"/><externalReference r:id="rId4"/></externalReferences>',
  links: [
    ['externalLink', 'externalLinks/externalLink1.xml'],
    ['externalLink', 'externalLinks/externalLink2.xml'],
  ],
  parts: {
    [linkPartName(1)]: [
      LINK,
      `<externalLink xmlns="${MAIN}"><externalBook xmlns:r="${OFFICE}" r:id="rId1"><sheetNames><sheetName val="Rates"/><sheetName val="Else"/></sheetNames><definedNames><definedName name="Total" refersTo="=Rates!$A$2"/></definedNames><sheetDataSet><sheetData sheetId="0" refreshError="1"><row r="1" spans="1:1"><cell r="A1"><v>10</v></cell></row><row r="2"><cell  r="A2"><v>20</v></cell></row></sheetData></sheetDataSet></externalBook><extLst><ext uri="{kept}"/></extLst></externalLink>`,
    ],
    'xl/externalLinks/_rels/externalLink1.xml.rels': [
      '',
      `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/externalLinkPath" Target="Rates.xlsx" TargetMode="External"/></Relationships>`,
    ],
    [linkPartName(2)]: [
      LINK,
      `<externalLink xmlns="${MAIN}"><externalBook xmlns:r="${OFFICE}" r:id="rId1"><sheetNames><sheetName val="Other"/></sheetNames></externalBook></externalLink>`,
    ],
    'xl/externalLinks/_rels/externalLink2.xml.rels': [
      '',
      `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/externalLinkPath" Target="https://s.test/other.xlsx" TargetMode="External"/></Relationships>`,
    ],
  },
} as const satisfies WorkbookFixture;

/** A workbook with one formula, which reads the first of them. */
export const linkingOne = {
  ...linkingTwo,
  sheets: [{ rows: '<row r="1"><c r="A1"><f>[1]Rates!A1*2</f><v>20</v></c></row>' }],
  after: '<externalReferences><externalReference r:id="rId3"/></externalReferences>',
  links: [linkingTwo.links[0]],
} as const satisfies WorkbookFixture;
