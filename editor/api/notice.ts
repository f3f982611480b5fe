import { say, type Text, text } from './texts.ts';

/** What is shown where the editor would be. */
export function createNotice(reasons: readonly Text[], lang: string): HTMLElement {
  const notice = document.createElement('div');
  notice.setAttribute('role', 'alert');
  notice.dir = 'auto';
  Object.assign(notice.style, {
    boxSizing: 'border-box',
    maxWidth: '48em',
    padding: '16px 20px',
    border: '1px solid #b3261e',
    borderRadius: '6px',
    font: '15px/1.5 system-ui, sans-serif',
    color: '#1c2430',
    background: '#fff',
    overflowWrap: 'anywhere',
  });
  notice.append(paragraph(say(text('cannotOpen'), lang), '600'));
  for (const reason of reasons) notice.append(paragraph(say(reason, lang), '400'));
  return notice;
}

function paragraph(content: string, fontWeight: string): HTMLElement {
  const element = document.createElement('p');
  Object.assign(element.style, { margin: '0', fontWeight });
  element.textContent = content;
  return element;
}
