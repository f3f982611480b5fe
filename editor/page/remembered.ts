const prefix = 'quire-example-';

/** What this browser kept under a name; null when there is nothing, or no storage. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Keeps a value for the next visit, where the browser lets it. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
