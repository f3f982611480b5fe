import { render } from 'preact';
import { readFrameConfig } from '../frame/frame-config.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { roleOf } from '../frame/role.ts';
import { startFrame } from '../frame/start.ts';
import { Notice, type NoticeProps } from '../shell/notice.tsx';
import { t } from '../strings/strings.ts';

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
  render(<Notice {...aloneNotice(error as Error)} />, place);
}

/** Of a page that nobody embeds it is known from its address which editor was looked for. */
function aloneNotice({ message }: Error): NoticeProps {
  const query = new URLSearchParams(location.search);
  if (!query.has('documentType')) return { sentence: message };
  const { documentType } = readFrameConfig({}, {}, { query });
  const mayBeAdded = documentType === 'cell' || documentType === 'slide';
  return {
    sentence: t(`unavailable.${documentType}`),
    children: mayBeAdded && <p>{t('unavailable.noEditor')}</p>,
  };
}
