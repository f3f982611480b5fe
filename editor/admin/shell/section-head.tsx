import type { ComponentChildren } from 'preact';
import { t } from '../../strings/strings.ts';
import { list } from '../figures.ts';

/** The beginning of a section; `children` are what can be done or chosen there. */
export function SectionHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="section-head">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** Says of which nodes nothing is known. */
export function Silent({ nodes }: { nodes: readonly string[] }) {
  if (nodes.length === 0) return null;
  return (
    <p class="banner" role="status">
      {t('admin.silent', { nodes: list(nodes) })}
    </p>
  );
}
