/** What the page of a host was given. */
export interface WopiPage {
  status: number;
  html: string;
  headers: Headers;
  key: string;
  token: string;
  userAuth: { mode: string; forcedViewMode: boolean; userSessionId: string; viewNotice: string | null };
  fileInfo: Record<string, unknown>;
  config: {
    type: string;
    documentType: string;
    document: { title: string; permissions: Record<string, boolean> };
    editorConfig: { user: { id: string; name: string }; mode: string; lang: string } & Record<
      string,
      unknown
    >;
  };
}

export interface PageRequest {
  mode?: string;
  kind?: string;
  query?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  method?: 'GET' | 'POST';
}

/** Opens the page of an editor as a browser does: the host's form, posted. `server`: address of the document server. */
export async function openWopiPage(
  server: string,
  source: string,
  token: string,
  { mode = 'edit', kind = 'word', query = {}, fields = {}, method = 'POST' }: PageRequest = {},
): Promise<WopiPage> {
  const url = new URL(`${server}/hosting/wopi/${kind}/${mode}`);
  url.searchParams.set('WOPISrc', source);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const form = { access_token: token, access_token_ttl: String(Date.now() + 3_600_000), ...fields };
  if (method === 'GET') {
    for (const [name, value] of Object.entries(form)) url.searchParams.set(name, value);
    return readPage(await fetch(url));
  }
  return readPage(await fetch(url, { method: 'POST', body: new URLSearchParams(form) }));
}

async function readPage(response: Response): Promise<WopiPage> {
  const html = await response.text();
  const data = (id: string): string => {
    const value = new RegExp(`<div id="${id}"[^>]*data-json="([^"]*)"`).exec(html)?.[1] ?? '';
    return value
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  };
  const json = (id: string) => JSON.parse(data(id) || 'null');
  return {
    status: response.status,
    html,
    headers: response.headers,
    key: data('keyData'),
    token: /token = "(.*)";/.exec(html)?.[1] ?? '',
    userAuth: json('userAuthJsonData'),
    fileInfo: json('fileInfoJsonData'),
    config: json('configJsonData'),
  };
}
