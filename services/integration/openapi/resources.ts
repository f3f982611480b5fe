/** One address of the HTTP interface, in words. What bodies hold is in the schemas that the server itself reads them by. */
export interface Resource {
  path: string;
  /** Another address of the same. */
  alias?: string;
  methods: readonly ('get' | 'post' | 'put' | 'delete')[];
  summary: string;
  /** Who may call it. */
  access: 'anybody' | 'token' | 'session' | 'link' | 'local' | 'host';
  body?: 'command' | 'conversion' | 'json' | 'bytes' | 'form';
  /** Parameters of the query by name. */
  query?: Readonly<Record<string, string>>;
  /** HTTP statuses, and what they come with. */
  answers: Readonly<Record<number, string>>;
}

const text = { 200: 'Plain text.' };
const json = { 200: 'JSON.' };
const ofConvertTo = {
  200: 'The file.',
  400: 'It could not be converted.',
  403: 'The address is not among those.',
  503: 'Too many conversions are waiting; `Retry-After` says when to ask again.',
};
const session = { 403: 'The token is not that of a session with this document, or the key is none.' };

/** Every address of the server but its pages, its sockets and the example (integration API, 2.1). */
export const resources: readonly Resource[] = [
  {
    path: '/command',
    alias: '/coauthoring/CommandService.ashx',
    methods: ['post', 'get'],
    summary: 'Carries out a command. With GET the parameters are in the query.',
    access: 'token',
    body: 'command',
    answers: {
      200: '`{key, error, …}`: 0 done; 1 no such document; 2 an address or list cannot be read; 3 it did not work; 4 nothing to save; 5 no such command; 6 wrong token; 7 expired token.',
      400: 'The body is no JSON.',
      413: 'The body is too large.',
    },
  },
  {
    path: '/converter',
    alias: '/ConvertService.ashx',
    methods: ['post', 'get'],
    summary:
      'Converts a file. The old address answers in XML unless JSON is asked for, and takes GET as well.',
    access: 'token',
    body: 'conversion',
    answers: {
      200: '`{endConvert, fileUrl, fileType, percent}` or `{error}` with a number below 0; the same in XML. While an asynchronous conversion is under way `{endConvert, percent, quireProgress}`.',
    },
  },
  {
    path: '/docbuilder',
    methods: ['post'],
    summary: 'Runs a script that makes documents. There is no engine for that: the answer is an error.',
    access: 'token',
    body: 'json',
    answers: json,
  },
  {
    path: '/cool/convert-to/{format}',
    alias: '/lool/convert-to/{format}',
    methods: ['post'],
    summary: 'Converts the file of a form, while WOPI is on, for addresses in `WOPI_CONVERT_FROM`.',
    access: 'host',
    body: 'form',
    answers: ofConvertTo,
  },
  {
    path: '/cool/convert-to',
    alias: '/lool/convert-to',
    methods: ['post'],
    summary: 'Converts the file of a form in the same way, into the format of its field `format`.',
    access: 'host',
    body: 'form',
    answers: ofConvertTo,
  },
  {
    path: '/downloadas/{key}',
    methods: ['get', 'post'],
    summary: 'A document as it is now, or as an editor sends it, in a format.',
    access: 'session',
    body: 'bytes',
    query: { cmd: 'JSON text of the command.', token: 'The session token, if it is not in the header.' },
    answers: { 200: '`{type, status, data}`.', 400: '`cmd` is no JSON object.', ...session },
  },
  {
    path: '/upload/{key}',
    methods: ['post'],
    summary: 'Puts a picture beside a document. More segments may follow the key.',
    access: 'session',
    body: 'bytes',
    query: { token: 'The session token, if it is not in the header.' },
    answers: {
      200: '`{"media/<name>": "<link>"}`.',
      400: 'There is no picture.',
      413: 'It is too large.',
      415: 'It is no picture of a known type.',
      ...session,
    },
  },
  {
    path: '/savefile/{key}',
    methods: ['post'],
    summary: 'Takes the file of a document that is encrypted end to end: there are none.',
    access: 'session',
    body: 'bytes',
    query: { cmd: 'JSON text of the command.' },
    answers: { 200: '`{type, status: "err", data: -85}`.', 400: '`cmd` is no JSON object.', ...session },
  },
  {
    path: '/printfile/{key}/{filename}',
    methods: ['get'],
    summary: 'A PDF to print.',
    access: 'link',
    query: { token: 'The signature of the link.' },
    answers: { 200: 'The PDF.', 403: 'The signature is wrong or has expired.', 404: 'The file is gone.' },
  },
  {
    path: '/downloadfile/{key}',
    methods: ['get', 'post'],
    summary: 'A file of the storage for the page of an editor, by an address that a token vouches for.',
    access: 'token',
    body: 'json',
    query: { url: 'The address.', token: 'A token over the address.' },
    answers: {
      200: 'The file; a part of it with status 206.',
      400: 'The storage cannot be reached.',
      403: 'No token vouches for the address.',
      408: 'The storage is too slow.',
      413: 'The file is too large.',
    },
  },
  {
    path: '/cache/files/{path}',
    methods: ['get'],
    summary: 'A file that a link was given for.',
    access: 'link',
    query: { md5: 'The signature.', expires: 'UNIX seconds.', filename: 'Name of the file.' },
    answers: {
      200: 'The file; a part of it with status 206.',
      403: 'The signature is missing or wrong.',
      404: 'The file is gone.',
      410: 'The link has expired.',
    },
  },
  {
    path: '/healthcheck',
    methods: ['get'],
    summary: '`true` while everything works, else `false`.',
    access: 'anybody',
    answers: text,
  },
  {
    path: '/healthcheck/ready',
    methods: ['get'],
    summary: 'Whether this node takes people in, and which of its parts work, for load balancers.',
    access: 'anybody',
    answers: { ...json, 503: 'The node is stopping, or a part of it does not work.' },
  },
  {
    path: '/healthcheck/live',
    methods: ['get'],
    summary: 'Answers as long as the process does.',
    access: 'anybody',
    answers: json,
  },
  {
    path: '/info/info.json',
    methods: ['get'],
    summary: 'Who is connected.',
    access: 'local',
    answers: { ...json, 403: 'Not from this machine.' },
  },
  {
    path: '/metrics',
    methods: ['get'],
    summary: 'Metrics for Prometheus.',
    access: 'anybody',
    answers: { ...text, 403: 'This address may not read them.' },
  },
  {
    path: '/meta/formats',
    methods: ['get'],
    summary: 'Formats and what can be done with them.',
    access: 'anybody',
    answers: json,
  },
  {
    path: '/meta/config',
    methods: ['get'],
    summary: 'Token header, addresses and limits.',
    access: 'anybody',
    answers: json,
  },
  {
    path: '/plugins.json',
    methods: ['get'],
    summary: 'Plugins of the editors.',
    access: 'anybody',
    answers: json,
  },
  {
    path: '/themes.json',
    methods: ['get'],
    summary: 'Colour themes of the editors.',
    access: 'anybody',
    answers: json,
  },
  {
    path: '/dummyCallback',
    methods: ['post'],
    summary: 'A callback address for tests: accepts everything.',
    access: 'anybody',
    body: 'json',
    answers: json,
  },
  {
    path: '/robots.txt',
    methods: ['get'],
    summary: 'Search engines are asked to stay away.',
    access: 'anybody',
    answers: text,
  },
  {
    path: '/baseurl',
    methods: ['get'],
    summary: 'What links given to this caller begin with.',
    access: 'anybody',
    answers: text,
  },
  {
    path: '/',
    methods: ['get'],
    summary: 'Leads to the greeting.',
    access: 'anybody',
    answers: { 302: 'To `/welcome/`.' },
  },
  {
    path: '/welcome/',
    methods: ['get'],
    summary: 'A page for people.',
    access: 'anybody',
    answers: { 200: 'HTML.' },
  },
  {
    path: '/index.html',
    methods: ['get'],
    summary: 'State and version of the service.',
    access: 'anybody',
    answers: text,
  },
  {
    path: '/internal/cluster/inactive',
    methods: ['get', 'put', 'delete'],
    summary:
      'PUT sends everybody away and waits until their work is delivered; DELETE takes people in again.',
    access: 'local',
    answers: { 200: '`true` or `false`.', 403: 'Not from this machine.' },
  },
  {
    path: '/internal/cluster/pre-stop',
    methods: ['put', 'delete'],
    summary: 'Health checks say no, or again yes.',
    access: 'local',
    answers: { 200: '`true`.', 403: 'Not from this machine.' },
  },
  {
    path: '/internal/cluster/drain',
    methods: ['get', 'put', 'delete'],
    summary:
      'PUT lets editors move to other nodes, a few at a time; GET says whether all have left; DELETE takes people in again.',
    access: 'local',
    answers: { 200: '`true` or `false`.', 403: 'Not from this machine.' },
  },
  {
    path: '/internal/cluster/ready',
    methods: ['get'],
    summary: 'Whether load balancers may send people here: the server is not about to stop.',
    access: 'local',
    answers: { 200: '`true` or `false`.', 403: 'Not from this machine.' },
  },
  {
    path: '/internal/connections/edit',
    methods: ['get'],
    summary: 'How many editors are connected.',
    access: 'local',
    answers: { 200: 'A number.', 403: 'Not from this machine.' },
  },
  {
    path: '/hosting/discovery',
    methods: ['get'],
    summary: 'WOPI discovery.',
    access: 'host',
    answers: { 200: 'XML.' },
  },
  {
    path: '/hosting/capabilities',
    methods: ['get'],
    summary: 'WOPI capabilities.',
    access: 'host',
    answers: json,
  },
  {
    path: '/hosting/icons/{name}',
    methods: ['get'],
    summary: 'Icons of kinds of files.',
    access: 'host',
    answers: { 200: 'SVG.', 404: 'There is no such icon.' },
  },
  {
    path: '/hosting/wopi/{kind}/{mode}',
    methods: ['get', 'post'],
    summary: 'The page of an editor for a file of a WOPI host.',
    access: 'host',
    body: 'form',
    query: { WOPISrc: 'Address of the file.' },
    answers: { 200: 'HTML.' },
  },
  {
    path: '/hosting/wopi/convert-and-edit/{extension}/{target}',
    methods: ['get', 'post'],
    summary: 'A page that converts a file of a WOPI host and opens the result.',
    access: 'host',
    body: 'form',
    query: { WOPISrc: 'Address of the file.' },
    answers: { 200: 'HTML.' },
  },
  {
    path: '/hosting/wopi/convert-and-edit-handler',
    methods: ['get'],
    summary: 'What that page asks until the file is converted.',
    access: 'host',
    answers: json,
  },
  {
    path: '/hosting/wopi/rename',
    methods: ['post'],
    summary: 'The page of an editor has its WOPI host rename the file.',
    access: 'token',
    body: 'json',
    answers: {
      200: 'JSON.',
      403: 'The token is not that of such a page.',
      409: 'It was not done; `error` says why.',
    },
  },
  {
    path: '/hosting/wopi/save-as',
    methods: ['post'],
    summary: 'The page of an editor has its WOPI host keep a copy.',
    access: 'token',
    body: 'json',
    answers: {
      200: 'JSON.',
      403: 'The token is not that of such a page.',
      409: 'It was not done; `error` says why.',
    },
  },
];
