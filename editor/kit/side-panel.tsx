import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../strings/strings.ts';
import { IconButton } from './button.tsx';
import './side-panel.css';

interface SidePanelProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A panel beside the document; on a phone it covers it. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const titleId = useId();
  return (
    <aside class="side-panel" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton label={t('common.close')} onClick={onClose}>
          <X size={18} />
        </IconButton>
      </header>
      {children}
    </aside>
  );
}
