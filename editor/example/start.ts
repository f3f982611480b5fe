import { server } from './server.ts';
import { takeSettings } from './settings.ts';

const retryMs = 2_000;

/** Asks for the settings until they are there. Resolves after the first attempt. */
export async function loadSettings(): Promise<void> {
  try {
    takeSettings(await server.settings());
  } catch {
    setTimeout(() => void loadSettings(), retryMs);
  }
}
