import type { ComponentChildren } from 'preact';
import './status-bar.css';

interface StatusBarProps {
  /** At the beginning of the line. */
  children: ComponentChildren;
  /** At its end. */
  end: ComponentChildren;
}

/** The line below the document. */
export function StatusBar({ children, end }: StatusBarProps) {
  return (
    <footer class="status-bar">
      {children}
      <span class="status-space" />
      {end}
    </footer>
  );
}
