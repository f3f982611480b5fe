import { SendHorizontal } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../kit/button.tsx';
import { notify } from '../../kit/notices.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { currentLanguage, t } from '../../strings/strings.ts';
import { type CoeditedDocument, togglePanel } from '../document-editor.ts';
import './chat-panel.css';

/** The chat of the participants. */
export function ChatPanel({ editor }: { editor: CoeditedDocument }) {
  const { messages, unread } = editor.presence;
  const { client } = editor.session;
  const end = useRef<HTMLDivElement>(null);
  const time = new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'short' });
  useEffect(() => {
    unread.value = 0;
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [messages.value, unread]);
  return (
    <SidePanel title={t('toolbar.chat')} onClose={() => togglePanel(editor, 'chat')}>
      <div class="chat" role="log" aria-label={t('toolbar.chat')}>
        {messages.value.map(({ message, user, username, useridoriginal, time: sentMs }) => (
          <div key={`${user} ${sentMs}`} class={user === client.userId ? 'chat-own' : ''}>
            <span class="chat-who">
              {username || useridoriginal} · <time>{time.format(sentMs)}</time>
            </span>
            <span class="chat-text" dir="auto">
              {message}
            </span>
          </div>
        ))}
        {messages.value.length === 0 && <div class="chat-empty">{t('together.noMessages')}</div>}
        <div ref={end} aria-hidden="true" />
      </div>
      <form
        class="chat-form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const text = String(new FormData(form).get('text')).trim();
          if (text === '') return;
          if (client.chat(text)) form.reset();
          else notify({ text: t('together.notSent'), kind: 'error' });
        }}
      >
        <input
          name="text"
          maxLength={2000}
          autocomplete="off"
          aria-label={t('together.message')}
          placeholder={t('together.message')}
          dir="auto"
        />
        <IconButton type="submit" label={t('together.send')}>
          <SendHorizontal size={18} />
        </IconButton>
      </form>
    </SidePanel>
  );
}
