export const api = {
  frameTitle: 'Editor: {title}',
  unnamed: 'Unnamed',
  cannotOpen: 'The editor cannot be opened.',
  noScript:
    'The script api.js does not find its own script element, so the address of the server is not known.',
  noPlaceholder: 'The page has no element with the id “{id}” for the editor to take the place of.',
  occupied: 'There is an editor in “{id}” already. Call its destroyEditor first.',
  notJson: 'The configuration cannot be passed on to the editor: {reason}',
  missing: 'The option {name} is missing.',
  notObject: 'The option {name} must be an object.',
  notText: 'The option {name} must be a string.',
  notSize: 'The option {name} must be a number of pixels or a CSS length.',
  notFunction: 'The option {name} must be a function.',
  notAddress: 'The option {name} must be an absolute http or https address; it is “{value}”.',
  notOneOf: 'The option {name} must be one of {list}; it is “{value}”.',
  badKey: 'The option {name} may have 1 to {most} of the characters 0-9 a-z A-Z - . _ =; it is “{value}”.',
  unknownFileType: 'The option document.fileType “{value}” is not known, and there is no documentType.',
  noKind: 'One of the options document.fileType and documentType is missing.',
  noKey: 'The option document.key is missing: nobody else can join in this document.',
  withPassword:
    'The option {name} holds a name and a password, which are sent nowhere: give the address without them.',
  noCallback: 'The option editorConfig.callbackUrl is missing: what is edited will not reach your storage.',
  frameFailed:
    'The editor could not be loaded. Check the connection, and that this address answers: {address}',
  noConnector: 'createConnector is not there: this editor has no automation API. What works here: {link}',
} as const;
