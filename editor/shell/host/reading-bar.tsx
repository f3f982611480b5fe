import { Download, Maximize, Share2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { currentDirection, t } from '../../strings/strings.ts';
import type { OpenDocument } from '../document-editor.ts';
import { BackButton, DocumentTitle, Logo } from './host-buttons.tsx';
import './reading-bar.css';

interface Props {
  open: OpenDocument;
  /** How large the document is shown. */
  children: ComponentChildren;
}

/** The only bar of an embedded document (`type: "embedded"`): what the embedding page has an address for. */
export function ReadingBar({ open, children }: Props) {
  const { saveUrl, shareUrl, embedUrl, fullscreenUrl } = open.config.editorConfig.embedded;
  const [sharing, setSharing] = useState(false);
  return (
    <div class="reading-bar">
      <BackButton open={open} />
      <Logo open={open} />
      <DocumentTitle open={open} />
      {children}
      {open.role.canDownload && saveUrl && (
        <LinkButton href={saveUrl} label={t('toolbar.download')}>
          <Download size={18} />
        </LinkButton>
      )}
      {(shareUrl || embedUrl) && (
        <IconButton label={t('toolbar.share')} aria-haspopup="dialog" onClick={() => setSharing(true)}>
          <Share2 size={18} />
        </IconButton>
      )}
      {fullscreenUrl && (
        <LinkButton href={fullscreenUrl} label={t('toolbar.fullScreen')}>
          <Maximize size={18} />
        </LinkButton>
      )}
      {sharing && (
        <Dialog title={t('toolbar.share')} onClose={() => setSharing(false)}>
          {shareUrl && <Copyable label={t('host.link')} text={shareUrl} />}
          {embedUrl && <Copyable label={t('host.embedCode')} text={embedCode(embedUrl)} />}
        </Dialog>
      )}
    </div>
  );
}

function LinkButton({ href, label, children }: { href: string; label: string; children: ComponentChildren }) {
  return (
    <a class="icon-button" href={href} target="_blank" rel="noopener" aria-label={label} title={label}>
      {children}
    </a>
  );
}

function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <label class="field">
      {label}
      <textarea readOnly rows={2} dir="ltr" onFocus={(event) => event.currentTarget.select()} value={text} />
    </label>
  );
}

const embedCode = (url: string): string =>
  `<iframe dir="${currentDirection()}" src="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="100%" height="600" allowfullscreen></iframe>`;
