/** Somewhere in a document, for a link to it. */
interface ActionLink {
  action: { type: string; data: string };
}

/** What the frame tells the page, with the data of each event (integration API, 5.1). */
export interface HostEvents {
  onAppReady: undefined;
  onDocumentReady: undefined;
  /** True: this person has unsent edits. */
  onDocumentStateChange: boolean;
  onCollaborativeChanges: undefined;
  /** The mode that was really granted. */
  onInfo: { mode: 'view' | 'edit' };
  onWarning: { warningCode: number; warningDescription: string };
  onError: { errorCode: number; errorDescription: string };
  onMetaChange: { title?: string; favorite?: boolean };
  onRequestEditRights: undefined;
  onRequestRefreshFile: undefined;
  onOutdatedVersion: undefined;
  onRequestHistory: undefined;
  /** As the page named the version: a number or a text. */
  onRequestHistoryData: number | string;
  onRequestHistoryClose: undefined;
  onRequestRestore: { version: number | string; url?: string; fileType?: string };
  onRequestSaveAs: { url: string; title: string; fileType: string };
  onDownloadAs: { url: string; fileType: string };
  /** The new title without its extension. */
  onRequestRename: string;
  onRequestClose: undefined;
  onMakeActionLink: ActionLink;
  onRequestUsers: { c: string; id?: string[]; from?: number; count?: number; search?: string };
  onRequestSendNotify: { actionLink: ActionLink; message: string; emails: string[] };
  onRequestInsertImage: { c: string };
  onRequestSelectDocument: { c: string };
  /** The older name of the same. */
  onRequestCompareFile: undefined;
  onRequestSelectSpreadsheet: { c: string };
  onRequestReferenceData: { referenceData?: object; path?: string; link?: string };
  onRequestReferenceSource: { referenceData?: object; path?: string };
  onRequestOpen: { path?: string; referenceData?: object; windowName: string };
  onRequestSharingSettings: undefined;
  onRequestCreateNew: undefined;
  onRequestStartFilling: unknown;
  onStartFilling: undefined;
  onRequestFillingStatus: string;
  onSubmit: undefined;
  onUserActionRequired: undefined;
  onPluginsReady: undefined;
  onBack: undefined;
}

/** Events of which there is nothing more to say. */
export type BareHostEvent = {
  [Name in keyof HostEvents]: HostEvents[Name] extends undefined ? Name : never;
}[keyof HostEvents];
