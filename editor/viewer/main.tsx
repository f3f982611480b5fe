import { render } from 'preact';
import { startFrame } from '../frame/start.ts';
import { LiveRegions } from '../kit/announce.tsx';
import { withGuestName } from '../shell/host/guest-name.tsx';
import '../shell/screens.css';
import { App } from './app.tsx';
import { ViewerPage } from './viewer-kind.ts';

const place = document.getElementById('app')!;

try {
  const host = await startFrame();
  const page = new ViewerPage(host, withGuestName(await host.ready));
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
