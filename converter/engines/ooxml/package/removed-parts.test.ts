import { describe, expect, test } from 'vitest';
import { ContentTypes } from './content-types.ts';
import { Relationships } from './relationships.ts';

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

describe('the index of a package that loses a part', () => {
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Override PartName="/xl/calcChain.xml" ContentType="chain"/>
<Override PartName="/xl/styles.xml" ContentType="styles"/></Types>`;
  const links = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="t/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="t/calcChain" Target="calcChain.xml"/></Relationships>`;

  test('[XE3] forgets its type, and nothing else', () => {
    const index = new ContentTypes(Buffer.from(types));
    index.remove('xl/CalcChain.xml');
    expect(index.of('xl/calcChain.xml')).toBeUndefined();
    expect(text(index.changedBytes())).toBe(
      types.replace('<Override PartName="/xl/calcChain.xml" ContentType="chain"/>', ''),
    );
  });

  test('[XE3] forgets the relationship to it, whose number is not given again while another one has it', () => {
    const index = new Relationships(Buffer.from(links));
    index.remove('rId2');
    expect(index.get('rId2')).toBeUndefined();
    expect(index.all.map(({ id }) => id)).toEqual(['rId1']);
    expect(text(index.changedBytes())).toBe(
      links.replace('<Relationship Id="rId2" Type="t/calcChain" Target="calcChain.xml"/>', ''),
    );
  });

  test('[XE3] is as it was when nothing was in it of that part', () => {
    const [index, relationships] = [
      new ContentTypes(Buffer.from(types)),
      new Relationships(Buffer.from(links)),
    ];
    index.remove('xl/other.xml');
    relationships.remove('rId9');
    expect([index.changedBytes(), relationships.changedBytes()]).toEqual([undefined, undefined]);
  });
});
