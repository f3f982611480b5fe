import { useLanguage } from '../strings/strings.ts';
import { suggestTheme } from '../theme/theme.ts';
import { connectToHost, type HostBridge } from './host-bridge.ts';

/** What the page of every editor begins with: theme and language as its address asks for, then the embedding page. */
export async function startFrame(): Promise<HostBridge> {
  const query = new URLSearchParams(location.search);
  suggestTheme(query.get('uitheme') ?? undefined);
  // Without the texts of a language the interface is in English.
  await useLanguage(query.get('lang') ?? 'en').catch(() => undefined);
  return connectToHost();
}
