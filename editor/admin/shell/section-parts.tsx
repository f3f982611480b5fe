import { ChevronLeft, ChevronRight } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { MissingSource } from '../../../services/admin/api.ts';
import { IconButton } from '../../kit/button.tsx';
import { currentDirection, type StringKey, t } from '../../strings/strings.ts';
import { list } from '../formats.ts';

/** The heading of a section; `children` are its buttons and fields. */
export function SectionHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="section-head">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** Names the nodes that did not answer. */
export function Silent({ nodes }: { nodes: readonly string[] }) {
  if (nodes.length === 0) return null;
  return (
    <p class="banner" role="status">
      {t('admin.silent', { nodes: list(nodes) })}
    </p>
  );
}

const sourceNames: Readonly<Record<MissingSource, StringKey>> = {
  database: 'admin.sourceDatabase',
  queue: 'admin.sourceQueue',
  nodes: 'admin.sourceNodes',
  files: 'admin.sourceFiles',
};

/** Names what did not answer in time, so that something is missing in what is shown. */
export function Missing({ from }: { from: readonly MissingSource[] }) {
  if (from.length === 0) return null;
  return (
    <p class="banner" role="status">
      {t('admin.missing', { parts: list(from.map((source) => t(sourceNames[source]))) })}
    </p>
  );
}

const settleMs = 250;

/** Searches after a short pause in typing. */
export function SearchField({ onSearch }: { onSearch: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      class="search"
      type="search"
      aria-label={t('admin.search')}
      placeholder={t('admin.search')}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onSearch(currentTarget.value.trim()), settleMs);
      }}
    />
  );
}

interface PickProps {
  name: string;
  value: string;
  options: readonly (readonly [value: string, text: StringKey])[];
  onPick: (value: string) => void;
}

/** A choice of one of several values. */
export function Pick({ name, value, options, onPick }: PickProps) {
  return (
    <label class="pick">
      {name}
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {t(text)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A table that scrolls sideways where it is too wide, by keyboard as well. */
export function ScrollTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-scroll" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}

interface PagerProps {
  offset: number;
  limit: number;
  total: number;
  onMove: (offset: number) => void;
}

/** Moves through a long list; shows nothing where all of it is on one page. */
export function Pager({ offset, limit, total, onMove }: PagerProps) {
  if (total <= limit && offset === 0) return null;
  const [Back, On] = currentDirection() === 'rtl' ? [ChevronRight, ChevronLeft] : [ChevronLeft, ChevronRight];
  return (
    <div class="pager">
      <IconButton
        label={t('admin.previous')}
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - limit))}
      >
        <Back size={18} />
      </IconButton>
      <span>
        {t('admin.shownOf', {
          from: Math.min(total, offset + 1),
          to: Math.min(total, offset + limit),
          total,
        })}
      </span>
      <IconButton
        label={t('admin.next')}
        disabled={offset + limit >= total}
        onClick={() => onMove(offset + limit)}
      >
        <On size={18} />
      </IconButton>
    </div>
  );
}

export type BadgeTone = 'plain' | 'good' | 'warning' | 'bad';

/** A word about the state of something. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
