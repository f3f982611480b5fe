import { t } from '../strings/strings.ts';

/** Problems, as the server names them. */
const sentences = {
  'no-file': 'wopi.noFile',
  'no-token': 'wopi.noToken',
  'host-not-allowed': 'wopi.hostNotAllowed',
  'host-refused': 'wopi.hostRefused',
  'host-without-file': 'wopi.hostWithoutFile',
  'host-unreachable': 'wopi.hostUnreachable',
  'host-answer': 'wopi.hostAnswer',
  format: 'wopi.format',
  'not-built': 'wopi.notBuilt',
} as const;

/** Says in the person's language why there is no editor; the server has said it in English. */
export function showProblem(problem: string, detail: string): void {
  const key = Object.hasOwn(sentences, problem) ? sentences[problem as keyof typeof sentences] : null;
  showSentence(key === null ? problem : t(key), detail);
}

/** A sentence in the place of the editor, which assistive technology tells at once. */
export function showSentence(sentence: string, detail = ''): void {
  const place = document.querySelector('main.problem') ?? document.createElement('main');
  place.className = 'problem';
  place.setAttribute('role', 'status');
  const heading = document.createElement('h1');
  heading.textContent = sentence;
  const paragraph = document.createElement('p');
  paragraph.textContent = detail;
  place.replaceChildren(heading, paragraph);
  document.getElementById('editor')?.remove();
  if (!place.isConnected) document.body.append(place);
}
