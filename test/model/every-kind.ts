/** Something of everything that the model knows, and of what it does not. */
export const EVERY_KIND = `
<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:jc w:val="center"/></w:pPr><w:r><w:t>Heading</w:t></w:r></w:p>
<w:p><w:bookmarkStart w:id="1" w:name="here"/><w:r><w:rPr><w:b/><w:lang w:val="en-GB"/></w:rPr><w:t>bold </w:t></w:r><w:r><w:t>plain</w:t><w:tab/><w:t>tab</w:t><w:br/></w:r><w:bookmarkEnd w:id="1"/><w:proofErr w:type="spellStart"/><w:hyperlink w:anchor="here" w:history="1"><w:r><w:t>link one</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t> two</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:ins w:id="7" w:author="A" w:date="2024-01-01T00:00:00Z"><w:r><w:t>added</w:t></w:r></w:ins><w:del w:id="8" w:author="B"><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r></w:p>
<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>tall</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>right</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>
<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>controlled</w:t></w:r></w:p></w:sdtContent></w:sdt>
<w:customXml w:element="x"><w:p><w:r><w:t>opaque</w:t></w:r></w:p></w:customXml>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr><w:sectPr><w:pgSz w:w="12240" w:h="15840"/></w:sectPr></w:pPr><w:r><w:t>last of a section</w:t></w:r></w:p>
<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>end</w:t></w:r></w:p>`;
