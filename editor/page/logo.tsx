/** Sheets folded into each other: a quire. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path class="logo-back" d="M16 9c-3-2-6-2-9-1v15c3-1 6-1 9 1 3-2 6-2 9-1V8c-3-1-6-1-9 1z" />
      <path
        class="logo-lines"
        d="M10 12.5c1.4-.2 2.6 0 3.6.5M10 16c1.4-.2 2.6 0 3.6.5M22 12.5c-1.4-.2-2.6 0-3.6.5M22 16c-1.4-.2-2.6 0-3.6.5"
      />
    </svg>
  );
}
