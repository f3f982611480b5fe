import { render } from 'preact';
import { startFrame } from '../frame/start.ts';
import { LiveRegions } from '../kit/announce.tsx';
import { askGuestName } from '../shell/host/guest-name.tsx';
import { App } from './app.tsx';
import '../shell/screens.css';
import { WordPage } from '../shell/document-page.ts';

const place = document.getElementById('app')!;

try {
  const host = await startFrame();
  const page = new WordPage(host, await askGuestName(await host.ready, place));
  render(<App page={page} />, place);
  await page.open();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  render(
    <main class="screen">
      <p role="alert">{message}</p>
      <LiveRegions />
    </main>,
    place,
  );
}
