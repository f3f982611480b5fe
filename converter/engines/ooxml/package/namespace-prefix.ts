import type { XmlDocument } from './xml-document.ts';

const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

interface BoundPrefix {
  readonly prefix: string;
  /** Attributes that the root element needs for it. */
  readonly rootAttributes: Readonly<Record<string, string>>;
}

/** The prefix that the root of a part binds to a namespace, or a free one with its declaration. */
export function prefixFor(xml: XmlDocument, namespace: string, preferred: string): BoundPrefix {
  const root = xml.attributes(xml.root);
  for (const [name, value] of Object.entries(root)) {
    if (value === namespace && name.startsWith('xmlns:')) {
      return { prefix: name.slice('xmlns:'.length), rootAttributes: {} };
    }
  }
  let prefix = preferred;
  for (let number = 2; root[`xmlns:${prefix}`] !== undefined; number++) prefix = `${preferred}q${number}`;
  return { prefix, rootAttributes: { [`xmlns:${prefix}`]: namespace } };
}

/** A prefix for an extension, which programs that do not know it are told to ignore (Part 3, 7.2). */
export function ignorablePrefixFor(xml: XmlDocument, namespace: string, preferred: string): BoundPrefix {
  const extension = prefixFor(xml, namespace, preferred);
  const compatibility = prefixFor(xml, COMPATIBILITY, 'mc');
  const name = `${compatibility.prefix}:Ignorable`;
  const ignored = (xml.attribute(xml.root, name) ?? '').split(/\s+/).filter((prefix) => prefix !== '');
  if (ignored.includes(extension.prefix)) return extension;
  return {
    prefix: extension.prefix,
    rootAttributes: {
      ...compatibility.rootAttributes,
      ...extension.rootAttributes,
      [name]: [...ignored, extension.prefix].join(' '),
    },
  };
}
