import type { NamedDocument } from '../support/corpus.ts';
import { control, DECLARATION, paragraph, run, wordDocument, wordPart } from './word-package.ts';

const STORE = '{5A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D}';
const NAMESPACE = 'urn:example:boats';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const binding = (path: string) =>
  `<w:dataBinding w:prefixMappings="xmlns:b='${NAMESPACE}'" w:xpath="/b:boat[1]/b:${path}[1]" w:storeItemID="${STORE}"/>`;
const placeholder = '<w:placeholder><w:docPart w:val="DefaultPlaceholder_-1854013440"/></w:placeholder>';

const bound = wordDocument({
  parts: [
    {
      path: '/customXml/item1.xml',
      relationship: 'customXml',
      contentType: '',
      id: 'rIdX',
      content: `<?xml version="1.0"?><b:boat xmlns:b="${NAMESPACE}"><b:name>Petrel</b:name><b:built>2019-04-01</b:built><b:kind>s</b:kind><!-- kept --></b:boat>`,
    },
  ],
  contentTypes: {
    '/customXml/itemProps1.xml': 'application/vnd.openxmlformats-officedocument.customXmlProperties+xml',
  },
  unrelated: {
    'customXml/_rels/item1.xml.rels': `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/customXmlProps" Target="itemProps1.xml"/></Relationships>`,
    'customXml/itemProps1.xml': `${DECLARATION}<ds:datastoreItem ds:itemID="${STORE}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"><ds:schemaRefs><ds:schemaRef ds:uri="${NAMESPACE}"/></ds:schemaRefs></ds:datastoreItem>`,
  },
  body:
    paragraph(
      `${run('Name: ')}${control(`<w:alias w:val="Name"/><w:tag w:val="name"/><w:id w:val="101"/>${placeholder}${binding('name')}<w:text/>`, run('Petrel'))}`,
    ) +
    paragraph(
      `${run('Built: ')}${control(`<w:id w:val="102"/>${binding('built')}<w:date w:fullDate="2019-04-01T00:00:00Z"><w:dateFormat w:val="dd.MM.yyyy"/><w:lid w:val="en-GB"/><w:storeMappedDataAs w:val="date"/><w:calendar w:val="gregorian"/></w:date>`, run('01.04.2019'))}`,
    ) +
    paragraph(
      `${run('Kind: ')}${control(`<w:id w:val="103"/>${binding('kind')}<w:dropDownList w:lastValue="s"><w:listItem w:displayText="Sailing" w:value="s"/><w:listItem w:displayText="Motor" w:value="m"/></w:dropDownList>`, run('Sailing'))}`,
    ) +
    control(
      '<w:id w:val="104"/><w15:appearance w15:val="hidden"/>',
      paragraph('A paragraph') +
        control('<w:id w:val="105"/><w:lock w:val="sdtLocked"/>', paragraph('in two controls')),
    ),
});

const kinds = wordDocument({
  body:
    paragraph(
      `${control('<w:id w:val="201"/><w14:checkbox><w14:checked w14:val="1"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox>', run('☒', '<w:rFonts w:ascii="MS Gothic" w:eastAsia="MS Gothic" w:hAnsi="MS Gothic" w:hint="eastAsia"/>'))}${run(' insured ')}` +
        control(
          `<w:id w:val="202"/>${placeholder}<w:showingPlcHdr/><w:comboBox><w:listItem w:value="Choose."/></w:comboBox>`,
          run('Choose.', '<w:rStyle w:val="PlaceholderText"/>'),
        ),
    ) +
    control(
      '<w:id w:val="203"/><w15:repeatingSection/>',
      control('<w:id w:val="204"/><w15:repeatingSectionItem/>', paragraph('first of many')) +
        control('<w:id w:val="205"/><w15:repeatingSectionItem/>', paragraph('second of many')),
    ) +
    control(
      '<w:id w:val="206"/><w:group/>',
      paragraph(
        `${run('a group with ')}${control('<w:id w:val="207"/><w:text w:multiLine="1"/>', '<w:r><w:t>two</w:t><w:br/><w:t>lines</w:t></w:r>')}`,
      ),
    ) +
    `<w:customXml w:uri="${NAMESPACE}" w:element="boat"><w:customXmlPr><w:attr w:name="id" w:val="4"/></w:customXmlPr>${paragraph(`<w:customXml w:element="name">${run('in custom XML')}</w:customXml>`)}</w:customXml>` +
    '<w:sdt><w:sdtPr><w:id w:val="208"/></w:sdtPr><w:sdtEndPr><w:rPr><w:b/></w:rPr></w:sdtEndPr><w:sdtContent><w:p><w:r><w:t>with an end</w:t></w:r></w:p></w:sdtContent></w:sdt>',
});

const formField = (name: string, content: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="${name}"/><w:enabled/><w:calcOnExit w:val="0"/>${content}</w:ffData></w:fldChar></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const form = wordDocument({
  parts: [
    {
      path: 'settings.xml',
      relationship: 'settings',
      content: wordPart(
        'settings',
        '<w:documentProtection w:edit="forms" w:enforcement="1"/><w:defaultTabStop w:val="708"/>',
      ),
    },
  ],
  body:
    paragraph(
      `${run('Insured: ')}<w:bookmarkStart w:id="0" w:name="Check1"/>${formField('Check1', '<w:checkBox><w:sizeAuto/><w:default w:val="0"/><w:checked/></w:checkBox>', '<w:r><w:instrText xml:space="preserve"> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>')}<w:bookmarkEnd w:id="0"/>`,
    ) +
    paragraph(
      `${run('Crew: ')}${formField('Text1', '<w:textInput><w:type w:val="number"/><w:maxLength w:val="3"/></w:textInput>', `<w:r><w:instrText xml:space="preserve"> FORMTEXT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('4', '<w:noProof/>')}`)}${control('<w:id w:val="301"/><w:text/>', run('and more'))}`,
    ) +
    paragraph('Sign here.'),
});

const glossary = wordDocument({
  parts: [
    {
      path: 'glossary/document.xml',
      relationship: 'glossaryDocument',
      contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.glossary+xml',
      id: 'rIdG',
      content: wordPart(
        'glossaryDocument',
        `<w:docParts><w:docPart><w:docPartPr><w:name w:val="DefaultPlaceholder_-1854013440"/><w:category><w:name w:val="General"/><w:gallery w:val="placeholder"/></w:category><w:types><w:type w:val="bbPlcHdr"/></w:types><w:behaviors><w:behavior w:val="content"/></w:behaviors><w:guid w:val="{0A1B2C3D-0000-4000-8000-00000000000A}"/></w:docPartPr><w:docPartBody>${paragraph(run('Click to write.', '<w:rStyle w:val="PlaceholderText"/>'))}</w:docPartBody></w:docPart></w:docParts>`,
      ),
    },
  ],
  body:
    paragraph(
      `${run('Berth ')}${control(`<w:id w:val="401"/>${placeholder}<w:showingPlcHdr/><w:text/>`, run('Click to write.', '<w:rStyle w:val="PlaceholderText"/>'))}${run(' is free')}`,
    ) + paragraph('and so is the next'),
});

/** What people fill in. */
export const CONTROLS: readonly NamedDocument[] = [
  ['controls bound to data', bound],
  ['controls of all kinds', kinds],
  ['protected form', form],
  ['glossary', glossary],
];
