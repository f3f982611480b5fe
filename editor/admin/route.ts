import { signal } from '@preact/signals';

export const sections = [
  'overview',
  'history',
  'documents',
  'saves',
  'queue',
  'nodes',
  'configuration',
] as const;
export type Section = (typeof sections)[number];

/** What the page shows. It is the part of the address behind `#`: `#documents`, `#documents/KEY`, `#saves/attention`. */
interface Route {
  section: Section;
  /** Key of the document whose details are shown. */
  document: string | null;
  /** Of the saves, only those are shown that need attention. */
  needsAttention: boolean;
}

function read(): Route {
  const [section, part] = location.hash.slice(1).split('/');
  const known = sections.find((one) => one === section) ?? 'overview';
  return {
    section: known,
    document: known === 'documents' && part ? decodeURIComponent(part) : null,
    needsAttention: known === 'saves' && part === 'attention',
  };
}

export const route = signal<Route>(read());
addEventListener('hashchange', () => {
  route.value = read();
});

export const sectionAddress = (section: Section): string => `./#${section}`;
export const documentAddress = (key: string): string => `./#documents/${encodeURIComponent(key)}`;
