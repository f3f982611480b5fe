import { render } from 'preact';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { roleOf } from '../frame/role.ts';
import { startFrame } from '../frame/start.ts';
import { t } from '../strings/strings.ts';
import { Notice } from './notice.tsx';

const place = document.getElementById('app')!;
const host = await startFrame();
host.on('requestClose', () => host.send('onRequestClose'));

try {
  const config = await host.ready;
  const { title, directUrl, url } = config.document;
  const sentence = t(`unavailable.${config.documentType}`);
  document.title = title || sentence;
  render(
    <Notice
      sentence={sentence}
      fileName={title}
      download={roleOf(config).canDownload ? (directUrl ?? url) : null}
    />,
    place,
  );
  reportToHost(host, 'formatNotRecognised', `${describeCode('formatNotRecognised')} ${sentence}`);
} catch (error) {
  render(<Notice sentence={(error as Error).message} />, place);
}
