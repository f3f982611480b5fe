import { exactJson } from '../../client/protocol/exact-json.ts';
import { type FileSource, readFileSource } from './file-source.ts';

/** What a host asks a page for, in its address and its form (integration API, 13.2). */
export interface PageQuery {
  source: FileSource | null;
  accessToken: string;
  /** Null: the host does not say. */
  expiresAt: Date | null;
  sessionContext: string | null;
  /** A balancer finds the node of this person's session by it; null where the host gives none. */
  usid: string | null;
  lang: string;
  region: string | null;
  theme: 'default-light' | 'default-dark' | null;
  type: 'desktop' | 'mobile' | 'embedded';
  chat: boolean;
  formSubmit: boolean;
  /** What the host wants changed in the editor's configuration. */
  config: Record<string, unknown>;
}

/** Longest access token, characters. */
const longestToken = 16_384;
const longestConfig = 65_536;

export function readPageQuery(fields: ReadonlyMap<string, string>): PageQuery {
  const text = (name: string): string => fields.get(name) ?? '';
  const isOn = (name: string): boolean => text(name) === '1' || text(name) === 'true';
  const accessToken = text('access_token');
  const expiresMs = Number(text('access_token_ttl'));
  const lang = text('lang') || text('ui');
  const themes = { 1: 'default-light', 2: 'default-dark' } as const;
  return {
    source: readFileSource(fields.get('wopisrc')),
    accessToken: accessToken.length > longestToken ? '' : accessToken,
    expiresAt: expiresMs > 0 && expiresMs < 8.64e15 ? new Date(expiresMs) : null,
    sessionContext: text('sc') || null,
    usid: /^[\w.~-]{1,255}$/.test(text('usid')) ? text('usid') : null,
    lang: isLanguage(lang) ? lang : 'en-US',
    region: isLanguage(text('rs')) ? text('rs') : null,
    theme: themes[text('thm') as '1' | '2'] ?? null,
    type: isOn('embed') ? 'embedded' : isOn('mobile') ? 'mobile' : 'desktop',
    chat: !isOn('dchat'),
    formSubmit: isOn('formsubmit'),
    config: readConfig(text('docs_api_config')),
  };
}

const isLanguage = (text: string): boolean => /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(text);

function readConfig(text: string): Record<string, unknown> {
  if (text === '' || text.length > longestConfig) return {};
  try {
    const config = exactJson(text);
    return typeof config === 'object' && config !== null && !Array.isArray(config)
      ? (config as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
