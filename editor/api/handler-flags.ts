/** Which option tells the editor that the page answers an event (integration API, 3.2). */
export const eventFlags: Readonly<Record<string, string>> = {
  onRequestHistory: 'canUseHistory',
  onRequestHistoryClose: 'canHistoryClose',
  onRequestRestore: 'canHistoryRestore',
  onRequestEditRights: 'canRequestEditRights',
  onRequestClose: 'canRequestClose',
  onRequestRename: 'canRename',
  onMakeActionLink: 'canMakeActionLink',
  onRequestUsers: 'canRequestUsers',
  onRequestSendNotify: 'canRequestSendNotify',
  onRequestSaveAs: 'canRequestSaveAs',
  onRequestInsertImage: 'canRequestInsertImage',
  onRequestMailMergeRecipients: 'canRequestMailMergeRecipients',
  onRequestCompareFile: 'canRequestCompareFile',
  onRequestSharingSettings: 'canRequestSharingSettings',
  onRequestCreateNew: 'canRequestCreateNew',
  onRequestReferenceData: 'canRequestReferenceData',
  onRequestReferenceSource: 'canRequestReferenceSource',
  onRequestOpen: 'canRequestOpen',
  onRequestSelectDocument: 'canRequestSelectDocument',
  onRequestSelectSpreadsheet: 'canRequestSelectSpreadsheet',
  onRequestEmailAddresses: 'canSendEmailAddresses',
  onRequestRefreshFile: 'canRequestRefreshFile',
  onOutdatedVersion: 'canUpdateVersion',
  onSaveDocument: 'canSaveDocumentToBinary',
  onStartFilling: 'canStartFilling',
  onRequestFillingStatus: 'canRequestFillingStatus',
};

/** The page's functions by the event they are for; looked up when an event comes, so that they may change. */
export type Handlers = Readonly<Record<string, unknown>>;

/** The flags of `editorConfig` that follow from the handlers that are there now. */
export function flagsOf(handlers: Handlers): Record<string, boolean> {
  const set: Record<string, boolean> = {};
  for (const [event, flag] of Object.entries(eventFlags)) set[flag] = typeof handlers[event] === 'function';
  return set;
}
