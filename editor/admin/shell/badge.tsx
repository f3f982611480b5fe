import type { ComponentChildren } from 'preact';

export type BadgeTone = 'plain' | 'good' | 'warning' | 'bad';

/** A word about the state of something. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
