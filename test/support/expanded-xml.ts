import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';

type Scope = Readonly<Record<string, string>>;

/** An XML text with the namespace of each name in place of its prefix, and without declarations. Throws for a prefix that nothing binds. */
export function expandedXml(text: string): string {
  const xml = new XmlDocument(text);
  const expand = (element: XmlElement, around: Scope): string => {
    const attributes = Object.entries(xml.attributes(element));
    const scope: Record<string, string> = { ...around };
    for (const [name, value] of attributes) {
      if (name === 'xmlns') scope[''] = value;
      else if (name.startsWith('xmlns:')) scope[name.slice('xmlns:'.length)] = value;
    }
    const name = expanded(element.name, scope, scope['']);
    const said = attributes
      .filter(([attribute]) => !/^xmlns(?::|$)/.test(attribute))
      .map(([attribute, value]) => [expanded(attribute, scope, ''), value] as const)
      .map(([attribute, value]) => {
        const isList = attribute.endsWith('}Ignorable');
        const tokens = () => value.split(/\s+/).map((prefix) => bound(prefix, scope));
        return ` ${attribute}="${isList ? tokens().sort().join(' ') : value}"`;
      })
      .sort();
    if (new Set(said.map((one) => one.split('=')[0])).size < said.length)
      throw new Error(`an attribute twice in ${xml.openTag(element)}`);
    let content = '';
    let at = element.openEnd;
    for (const child of element.children) {
      content += text.slice(at, child.start) + expand(child, scope);
      at = child.end;
    }
    if (!element.selfClosing) content += text.slice(at, element.closeStart);
    return `<${name}${said.join('')}>${content}</>`;
  };
  return expand(xml.root, { xml: 'xml' });
}

function expanded(name: string, scope: Scope, otherwise = ''): string {
  const colon = name.indexOf(':');
  const namespace = colon < 0 ? otherwise : bound(name.slice(0, colon), scope);
  return `{${namespace}}${name.slice(colon + 1)}`;
}

function bound(prefix: string, scope: Scope): string {
  const namespace = scope[prefix];
  if (namespace === undefined) throw new Error(`nothing binds ${prefix}`);
  return namespace;
}
