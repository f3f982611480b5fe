/** What of the document server's script is used here (integration API, sections 3 to 5). */
export interface DocEditor {
  destroyEditor(): void;
  requestClose(): void;
  showMessage(text: string): void;
  denyEditingRights(message: string): void;
  refreshHistory(history: object): void;
  setHistoryData(data: object): void;
  setUsers(users: object): void;
  refreshFile(config: object): void;
}

/** Handlers by the name of their event; what they are given is the event's data. */
export type EditorEvents = Readonly<Record<string, (event: { data?: unknown }) => void>>;

interface DocsApi {
  DocEditor: new (placeholderId: string, config: object) => DocEditor;
}

let loading: Promise<DocsApi> | null = null;

/** Loads the script once; after a failure the next call tries again. */
export function loadDocsApi(address: string): Promise<DocsApi> {
  loading ??= new Promise<DocsApi>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => {
      const { DocsAPI } = window as unknown as { DocsAPI?: DocsApi };
      if (DocsAPI) resolve(DocsAPI);
      else reject(new Error('the script defines no DocsAPI'));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error('the script cannot be loaded'));
    };
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
