import type { NamedDocument } from '../support/corpus.ts';
import { field, paragraph, run, wordDocument } from './word-package.ts';

const letter = wordDocument({
  links: { rId7: 'https://example.org/tides?month=5&amp;place=north' },
  body:
    paragraph(
      `${run('The harbour office')}<w:r><w:br/></w:r>${run('Pier 4')}`,
      '<w:pStyle w:val="Title"/><w:rPr><w:lang w:val="en-GB"/></w:rPr>',
    ) +
    paragraph(
      `<w:bookmarkStart w:id="0" w:name="_GoBack"/><w:bookmarkEnd w:id="0"/>${run('Dear Mrs ')}` +
        `<w:proofErr w:type="spellStart"/>${run('Okonjo')}<w:proofErr w:type="spellEnd"/>${run(',')}`,
    ) +
    paragraph(
      `${run('your boat lies well')}<w:r><w:lastRenderedPageBreak/><w:t>, and the </w:t><w:softHyphen/><w:t>tide</w:t></w:r>` +
        `<w:smartTag w:uri="urn:schemas-microsoft-com:office:smarttags" w:element="date"><w:smartTagPr><w:attr w:name="Year" w:val="2026"/></w:smartTagPr>${run(' of 3 May')}</w:smartTag>` +
        `${run(' is in ')}<w:hyperlink r:id="rId7" w:tgtFrame="_blank" w:history="1">${run('the table', '<w:rStyle w:val="Hyperlink"/>')}</w:hyperlink>${run('.')}`,
      '<w:spacing w:before="120" w:after="0" w:line="276" w:lineRule="auto"/><w:ind w:left="283" w:hanging="283"/><w:jc w:val="both"/>',
    ) +
    paragraph('', '<w:rPr><w:b/><w:sz w:val="18"/></w:rPr>') +
    paragraph(
      `<w:r><w:tab/><w:t>Yours</w:t></w:r><w:r><w:ptab w:relativeTo="margin" w:alignment="right" w:leader="none"/><w:t>A. Reed</w:t></w:r>`,
      '<w:tabs><w:tab w:val="clear" w:pos="708"/><w:tab w:val="left" w:pos="5670" w:leader="dot"/></w:tabs>',
    ),
});

const characters = wordDocument({
  body:
    paragraph(
      '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>done</w:t><w:noBreakHyphen/><w:t>not&#160;yet</w:t><w:cr/><w:t>a&#x2028;b</w:t></w:r>' +
        '<w:r><w:t>  blanks that nobody preserves  </w:t></w:r><w:r><w:t xml:space="preserve">  and some that are kept  </w:t></w:r>',
    ) +
    paragraph(
      `${run('&lt;tag&gt; &amp;amp; &quot;quoted&quot; &apos;too&apos; ]]&gt;')}${run('🚲 e\u0301 \u200b \ufeff')}`,
    ) +
    paragraph(
      `${run('raised', '<w:vertAlign w:val="superscript"/>')}${run('hidden', '<w:vanish/><w:specVanish/>')}` +
        `${run('capitals', '<w:smallCaps/><w:spacing w:val="40"/><w:kern w:val="28"/>')}${run('squeezed', '<w:w w:val="80"/><w:fitText w:val="900" w:id="77"/>')}` +
        `${run('boxed', '<w:bdr w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:shd w:val="pct15" w:color="auto" w:fill="FFFFFF"/>')}` +
        '<w:r><w:t>seen as </w:t><w:dayLong/><w:t>, page </w:t><w:pgNum/></w:r>',
    ) +
    paragraph(
      run(
        'with effects',
        '<w:color w:val="2E74B5" w:themeColor="accent1" w:themeShade="BF"/><w:u w:val="wavyDouble" w:color="FF0000"/>' +
          '<w14:shadow w14:blurRad="50800" w14:dist="38100" w14:dir="2700000" w14:sx="100000" w14:sy="100000" w14:kx="0" w14:ky="0" w14:algn="tl"><w14:srgbClr w14:val="000000"><w14:alpha w14:val="60000"/></w14:srgbClr></w14:shadow>' +
          '<w14:ligatures w14:val="standardContextual"/><w14:numForm w14:val="oldStyle"/>',
      ),
    ),
});

const fields = wordDocument({
  body:
    paragraph(
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> IF </w:instrText></w:r>${field('MERGEFIELD  Sex', 'f')}` +
        '<w:r><w:instrText xml:space="preserve"> = "f" "Mrs" "Mr" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>' +
        `${run('Mrs')}<w:r><w:fldChar w:fldCharType="end"/></w:r>${run(' ')}${field('MERGEFIELD Name \\* Upper', '«NAME»')}`,
    ) +
    // One that begins in a paragraph, goes over a whole one, and ends in the middle of another.
    paragraph(
      `${run('As they say: ')}<w:r><w:fldChar w:fldCharType="begin" w:dirty="1"/></w:r><w:r><w:instrText>INCLUDETEXT "rules.docx" \\! </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('first rule')}`,
    ) +
    paragraph('second rule') +
    paragraph(`${run('third rule')}<w:r><w:fldChar w:fldCharType="end"/></w:r>${run(', and no more')}`) +
    paragraph(
      `${run('Figure ')}<w:fldSimple w:instr=" SEQ Figure \\* ARABIC "><w:r><w:rPr><w:noProof/></w:rPr><w:t>1</w:t></w:r></w:fldSimple>${run(': a buoy')}`,
      '<w:pStyle w:val="Caption"/>',
    ) +
    paragraph(
      `${run('See ')}<w:r><w:fldChar w:fldCharType="begin" w:fldLock="1"><w:fldData xml:space="preserve">CNDJ6nn5us4RjIIAqgBLqQsCAAAACAAAAA4AAABfAFIAZQBmADEAAAA=</w:fldData></w:fldChar></w:r>` +
        `<w:r><w:instrText xml:space="preserve"> REF _Ref1 \\h </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('Figure 1')}<w:r><w:fldChar w:fldCharType="end"/></w:r>` +
        `${run(' of ')}${field('CREATEDATE \\@ "d. MMMM yyyy"', '3. Mai 2026')}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> XE "buoy:red" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`,
    ),
});

const bookmarks = wordDocument({
  body:
    '<w:bookmarkStart w:id="4" w:name="whole"/>' +
    paragraph(`<w:bookmarkStart w:id="5" w:name="one"/>${run('begins here')}`) +
    paragraph(`${run('goes')}<w:bookmarkEnd w:id="5"/>${run(' on')}`) +
    '<w:bookmarkStart w:id="6" w:name="columns" w:colFirst="0" w:colLast="0"/>' +
    `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/><w:gridCol w:w="4000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${paragraph('left')}</w:tc><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr><w:bookmarkStart w:id="7" w:name="cell"/>${paragraph('right')}<w:bookmarkEnd w:id="7"/></w:tc></w:tr></w:tbl>` +
    '<w:bookmarkEnd w:id="6"/><w:bookmarkEnd w:id="4"/>' +
    paragraph(
      `<w:permStart w:id="9" w:edGrp="everyone"/>${run('free to all')}<w:permEnd w:id="9"/><w:customXmlInsRangeStart w:id="10" w:author="Ann" w:date="2026-05-03T10:00:00Z"/><w:customXmlInsRangeEnd w:id="10"/>${run(' and the rest')}`,
    ) +
    '<w:proofErr w:type="gramStart"/>' +
    paragraph(
      `${run('with an ')}<w:hyperlink w:anchor="whole" w:tooltip="back">${run('inner link')}</w:hyperlink>`,
    ),
});

const languages = wordDocument({
  body:
    paragraph(
      `${run('من اليمين إلى اليسار', '<w:rtl/><w:lang w:bidi="ar-EG"/>')}${run(' left ', '<w:lang w:val="en-GB"/>')}${run('שמאל', '<w:rFonts w:cs="David"/><w:bCs/><w:szCs w:val="28"/><w:rtl/><w:lang w:bidi="he-IL"/>')}`,
      '<w:bidi/><w:ind w:left="0" w:right="720"/><w:jc w:val="start"/><w:rPr><w:rtl/></w:rPr>',
    ) +
    `<w:tbl><w:tblPr><w:bidiVisual/><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="2500" w:type="pct"/></w:tcPr>${paragraph(run('يمين', '<w:rtl/>'), '<w:bidi/>')}</w:tc><w:tc><w:tcPr><w:tcW w:w="2500" w:type="pct"/><w:textDirection w:val="btLr"/></w:tcPr>${paragraph('up')}</w:tc></w:tr></w:tbl>` +
    paragraph(
      `<w:dir w:val="rtl">${run('اتجاه', '<w:rtl/>')}</w:dir><w:bdo w:val="ltr">${run('override')}</w:bdo>`,
      '<w:bidi/>',
    ),
});

const eastAsian = wordDocument({
  body:
    paragraph(
      run('港は静かだ。', '<w:rFonts w:hint="eastAsia"/><w:lang w:eastAsia="ja-JP"/>'),
      '<w:spacing w:before="312" w:beforeLines="100" w:after="156" w:afterLines="50"/><w:ind w:left="420" w:leftChars="200" w:firstLine="420" w:firstLineChars="200"/>',
    ) +
    paragraph(
      `<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="distributeSpace"/><w:hps w:val="10"/><w:hpsRaise w:val="18"/><w:hpsBaseText w:val="21"/><w:lid w:val="ja-JP"/></w:rubyPr><w:rt><w:r><w:t>みなと</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>港</w:t></w:r></w:rubyBase></w:ruby></w:r>` +
        `${run('にて', '<w:eastAsianLayout w:id="-1820076032" w:combine="1"/>')}${run('強調', '<w:em w:val="dot"/>')}`,
      '<w:kinsoku w:val="0"/><w:overflowPunct w:val="0"/><w:autoSpaceDE w:val="0"/><w:snapToGrid w:val="0"/><w:ind w:hanging="210" w:hangingChars="100"/><w:textAlignment w:val="center"/>',
    ) +
    paragraph(
      '潮汐表',
      '<w:spacing w:before="100" w:beforeAutospacing="1" w:after="100" w:afterAutospacing="1"/><w:ind w:rightChars="150" w:right="315"/>',
    ),
  section:
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1800" w:bottom="1440" w:left="1800" w:header="851" w:footer="992" w:gutter="0"/><w:textDirection w:val="tbRl"/><w:docGrid w:type="lines" w:linePitch="312"/></w:sectPr>',
});

const letters = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
const math = wordDocument({
  body:
    paragraph(
      `${run('The area ')}<m:oMath><m:sSup><m:e>${letters('πr')}</m:e><m:sup>${letters('2')}</m:sup></m:sSup></m:oMath>${run(' of a pond, and')}`,
    ) +
    paragraph(
      `<m:oMathPara><m:oMathParaPr><m:jc m:val="center"/></m:oMathParaPr><m:oMath><m:f><m:fPr><m:ctrlPr><w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/><w:i/></w:rPr></m:ctrlPr></m:fPr><m:num>${letters('a+b')}</m:num><m:den>${letters('2')}</m:den></m:f></m:oMath></m:oMathPara>`,
    ) +
    paragraph(
      `<w:ins w:id="3" w:author="Ann" w:date="2026-05-03T10:00:00Z"><m:oMath><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${letters('x')}</m:e></m:rad></m:oMath></w:ins>${run(' is new')}`,
    ),
});

/** Words and what stands among them. */
export const TEXTS: readonly NamedDocument[] = [
  ['letter', letter],
  ['characters and effects', characters],
  ['fields over paragraphs', fields],
  ['bookmarks over blocks', bookmarks],
  ['right to left', languages],
  ['East Asian spacing', eastAsian],
  ['formulas', math],
];
