/** Sends a command to the frame, now or as soon as it listens. */
export type Send = (command: string, data?: unknown) => void;

const focusDelayMs = 10;

/** The methods of an editor that are a command to its frame (integration API, 5.2). */
export function commandMethods(send: Send) {
  const passing = (command: string) => (data?: unknown) => send(command, data);
  const processRightsChange = (enabled: boolean, message?: string): void =>
    send('processRightsChange', { enabled, message });
  return {
    showMessage: (msg: string) => send('showMessage', { msg }),
    processRightsChange,
    denyEditingRights: (message?: string) => processRightsChange(false, message),
    refreshHistory: (data: unknown, message?: string) => send('refreshHistory', { data, message }),
    setHistoryData: (data: unknown, message?: string) => send('setHistoryData', { data, message }),
    setActionLink: (url: string) => send('setActionLink', { url }),
    setFavorite: (favorite: boolean) => send('setFavorite', { favorite }),
    processMailMerge: (enabled: boolean, message?: string) => send('processMailMerge', { enabled, message }),
    serviceCommand: (command: string, data?: unknown) => send('internalCommand', { command, data }),
    /** Later, so that the click which led here does not take the focus back. */
    grabFocus: () => {
      setTimeout(() => send('grabFocus'), focusDelayMs);
    },
    blurFocus: () => send('blurFocus'),
    requestClose: () => send('requestClose'),
    requestRoles: () => send('requestRoles'),
    startFilling: passing('startFilling'),
    downloadAs: passing('downloadAs'),
    setUsers: passing('setUsers'),
    showSharingSettings: passing('showSharingSettings'),
    setSharingSettings: passing('setSharingSettings'),
    insertImage: passing('insertImage'),
    setRequestedDocument: passing('setRequestedDocument'),
    setRequestedSpreadsheet: passing('setRequestedSpreadsheet'),
    setRevisedFile: passing('setRevisedFile'),
    setMailMergeRecipients: passing('setMailMergeRecipients'),
    setReferenceData: passing('setReferenceData'),
    setReferenceSource: passing('setReferenceSource'),
    setEmailAddresses: passing('setEmailAddresses'),
  };
}
