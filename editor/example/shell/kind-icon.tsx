import type { DocumentKind } from '../../../example/api.ts';
import { kindText } from './roles.ts';
import './kind-icon.css';

/** A sheet of paper in the colour of its kind, with the file's extension on it. */
export function KindIcon({ kind, fileType }: { kind: DocumentKind; fileType: string }) {
  return (
    <span class={`kind-icon kind-${kind}`} role="img" aria-label={kindText(kind)} title={kindText(kind)}>
      <svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true" focusable="false">
        <path class="kind-sheet" d="M4 1h17l10 10v25a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z" />
        <path class="kind-fold" d="M21 1v7a3 3 0 0 0 3 3h7" />
      </svg>
      <b aria-hidden="true">{fileType}</b>
    </span>
  );
}
