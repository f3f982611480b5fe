import { convertMetafileToSvgTree, type SvgNode, svgTreeToString } from 'emf-converter';
import { isSymbolFont, symbolText } from '../../kit/symbol-fonts.ts';

/** A metafile of Windows (WMF, EMF, EMF+) as SVG; null where the bytes are none. */
export async function svgOfMetafile(bytes: ArrayBuffer): Promise<string | null> {
  const tree = await convertMetafileToSvgTree(bytes);
  return tree && svgTreeToString(withPlainCharacters(tree));
}

/** Fonts of symbols are not on every machine, and browsers do not read their codes: texts in them get the characters themselves. */
function withPlainCharacters(node: SvgNode): SvgNode {
  const { 'font-family': family, ...attrs } = node.attrs;
  const font = String(family ?? '').replaceAll('"', '');
  const text = node.text !== undefined && isSymbolFont(font) ? symbolText(node.text, font) : node.text;
  const isPlain = text !== undefined && text !== node.text;
  return {
    ...node,
    ...(isPlain && { attrs: { ...attrs, 'font-family': 'Cambria Math, serif' }, text }),
    ...(node.children && { children: node.children.map(withPlainCharacters) }),
  };
}
