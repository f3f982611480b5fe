import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { freePort } from '../support/free-port.ts';

/** What an example has to be told: where it listens, whom it works with and where it keeps its files. */
interface Surroundings {
  port: number;
  documentServer: string;
  secret: string;
  storage: string;
}

/** How one of the examples is started once it is installed as its README says. */
interface Launch {
  /** What is there when it is installed, below its directory. */
  installed: string;
  program: (directory: string) => string;
  args: (surroundings: Surroundings, directory: string) => readonly string[];
  environment: (surroundings: Surroundings) => Readonly<Record<string, string>>;
  /** What has to lie in its storage before it starts. */
  prepare?: (surroundings: Surroundings, directory: string) => Promise<void>;
  /** The page of forgotten files, where it is not `forgotten`. */
  forgottenPage?: string;
}

const common = ({ documentServer, secret, storage }: Surroundings) => ({
  DOCUMENT_SERVER_PUBLIC_URL: documentServer,
  // Without it the one in PHP asks for results at an address without a host.
  DOCUMENT_SERVER_PRIVATE_URL: documentServer,
  JWT_SECRET: secret,
  STORAGE_PATH: storage,
});

/** Says something else in a file of properties: the last of two lines for one setting counts. */
const appendSettings = (file: string, settings: Readonly<Record<string, string | number>>) =>
  appendFile(
    file,
    `\n${Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')}`,
  );

/** Where the example in C# answers its nginx. */
const monoSocket = (storage: string) => path.join(storage, 'mono.socket');

const monoServer = (storage: string) =>
  `fastcgi-mono-server4 /applications=/:${path.join(storage, 'application')} /socket=unix:${monoSocket(storage)}`;

/** The settings of an nginx that passes everything to the example in C#. */
const nginxBefore = (storage: string, port: number) => `
  daemon off; master_process off; pid ${storage}/nginx.pid; error_log stderr;
  events {}
  http {
    access_log off; client_max_body_size 60m;
    ${['client_body', 'fastcgi', 'proxy', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${storage}/${one};`).join(' ')}
    server {
      listen 127.0.0.1:${port}; listen [::1]:${port};
      location = / { rewrite ^ /Default.aspx last; }
      location / {
        include /etc/nginx/fastcgi_params;
        fastcgi_param HTTP_HOST $http_host;
        fastcgi_param SCRIPT_FILENAME ${path.join(storage, 'application')}$fastcgi_script_name;
        fastcgi_pass unix:${monoSocket(storage)};
        fastcgi_read_timeout 300s;
      }
    }
  }`;

const laravelServer = '../vendor/laravel/framework/src/Illuminate/Foundation/resources/server.php';

const launches: Readonly<Record<string, Launch>> = {
  nodejs: {
    installed: 'node_modules',
    program: () => process.execPath,
    args: () => ['bin/www'],
    environment: ({ port, documentServer, secret, storage }) => ({
      PORT: String(port),
      NODE_CONFIG: JSON.stringify({
        server: {
          siteUrl: `${documentServer}/`,
          storageFolder: storage,
          token: { enable: true, secret },
        },
      }),
    }),
  },
  python: {
    installed: '.venv/bin/python',
    program: (directory) => path.join(directory, '.venv/bin/python'),
    args: () => ['manage.py', 'runserver', '--noreload'],
    environment: (all) => ({ ...common(all), PORT: String(all.port), ADDRESS: 'localhost' }),
  },
  php: {
    installed: 'vendor/autoload.php',
    program: () => 'php',
    args: ({ port }) => ['--server', `localhost:${port}`],
    environment: (all) => ({ ...common(all), PHP_CLI_SERVER_WORKERS: '6' }),
  },
  // Its files lie below the storage of its framework, in a copy that is the test's own.
  'php-laravel': {
    installed: 'vendor/autoload.php',
    forgottenPage: 'files/forgotten',
    program: () => 'sh',
    args: ({ port }) => [
      '-c',
      // Its framework looks for its first script where the server is started.
      `cd public && exec php -d variables_order=EGPCS --server localhost:${port} ${laravelServer}`,
    ],
    environment: ({ port, documentServer, secret, storage }) => ({
      DOCUMENT_SERVER_PUBLIC_URL: documentServer,
      DOCUMENT_SERVER_PRIVATE_URL: documentServer,
      DOCUMENT_SERVER_JWT_SECRET: secret,
      DOCUMENT_STORAGE_PUBLIC_URL: `http://localhost:${port}`,
      DOCUMENT_STORAGE_PRIVATE_URL: `http://localhost:${port}`,
      DOCUMENT_STORAGE_DISPLAY_FORGOTTEN_PAGE: 'true',
      LARAVEL_STORAGE_PATH: storage,
      PHP_CLI_SERVER_WORKERS: '6',
    }),
    prepare: ({ storage }, directory) => cp(path.join(directory, 'storage'), storage, { recursive: true }),
  },
  go: {
    installed: 'example',
    program: (directory) => path.join(directory, 'example'),
    args: () => [],
    environment: ({ port, documentServer, secret, storage }) => ({
      SERVER_PORT: String(port),
      SERVER_ADDRESS: `http://localhost:${port}`,
      DOC_SERVER_HOST: `${documentServer}/`,
      JWT_IS_ENABLED: 'true',
      JWT_SECRET: secret,
      STORAGE_PATH: storage,
    }),
  },
  ruby: {
    installed: 'bin/rails',
    program: () => 'ruby',
    args: ({ port, storage }) => [
      'bin/rails',
      'server',
      ...['--binding', 'localhost', '--port', String(port), '--pid', path.join(storage, 'server.pid')],
    ],
    environment: common,
  },
  // One of its parts reads its settings from the file that was packed, whatever its surroundings say.
  'java-spring': {
    installed: 'target/integration-1.0.jar',
    program: () => 'java',
    args: ({ storage }) => [
      '-cp',
      ['BOOT-INF/classes', 'BOOT-INF/lib/*'].map((part) => path.join(storage, part)).join(':'),
      'com.onlyoffice.integration.IntegrationApplication',
    ],
    environment: () => ({}),
    prepare: async ({ port, documentServer, secret, storage }, directory) => {
      const jar = unzipSync(await readFile(path.join(directory, 'target/integration-1.0.jar')));
      for (const [name, bytes] of Object.entries(jar)) {
        if (name.endsWith('/') || !name.startsWith('BOOT-INF/')) continue;
        await mkdir(path.dirname(path.join(storage, name)), { recursive: true });
        await writeFile(path.join(storage, name), bytes);
      }
      const settings = {
        'server.address': 'localhost',
        'server.port': port,
        'files.storage': path.join(storage, 'files'),
        'docservice.url': `${documentServer}/`,
        'docservice.security.key': secret,
      };
      await appendSettings(path.join(storage, 'BOOT-INF/classes/application.properties'), settings);
    },
  },
  // On Mono, whose own server does not start any more: behind an nginx, in a copy that has the settings of the test.
  csharp: {
    installed: 'bin/OnlineEditorsExample.dll',
    forgottenPage: 'Forgotten.aspx',
    program: () => 'sh',
    args: ({ storage }) => [
      '-c',
      `${monoServer(storage)} & exec nginx -c ${path.join(storage, 'nginx.conf')}`,
    ],
    environment: () => ({ MONO_IOMAP: 'all' }),
    prepare: async ({ port, documentServer, secret, storage }, directory) => {
      await cp(directory, path.join(storage, 'application'), { recursive: true });
      const settings = path.join(storage, 'application/settings.config');
      const setTo = (xml: string, key: string, value: string) =>
        xml.replace(
          new RegExp(`(key="${key}" value=)"[^"]*"`),
          (_all, start: string) => `${start}"${value}"`,
        );
      const as = setTo(await readFile(settings, 'utf8'), 'files.docservice.url.site', `${documentServer}/`);
      await writeFile(settings, setTo(as, 'files.docservice.secret', secret));
      await writeFile(path.join(storage, 'nginx.conf'), nginxBefore(storage, port));
    },
  },
  // Its settings are a file of the web application: a copy of it, with a Tomcat of its own, has those of the test.
  java: {
    installed: 'tomcat/bin/bootstrap.jar',
    forgottenPage: 'ForgottenServlet',
    program: () => 'java',
    args: ({ storage }, directory) => [
      '-cp',
      ['bootstrap', 'tomcat-juli'].map((jar) => path.join(directory, `tomcat/bin/${jar}.jar`)).join(':'),
      `-Dcatalina.home=${path.join(directory, 'tomcat')}`,
      `-Dcatalina.base=${storage}`,
      'org.apache.catalina.startup.Bootstrap',
      'start',
    ],
    environment: () => ({}),
    prepare: async ({ port, documentServer, secret, storage }, directory) => {
      const application = path.join(storage, 'webapps/ROOT');
      await cp(path.join(directory, 'target/OnlineEditorsExampleJava-1.0'), application, { recursive: true });
      await cp(path.join(directory, 'tomcat/conf'), path.join(storage, 'conf'), { recursive: true });
      await mkdir(path.join(storage, 'temp'));
      const server = path.join(storage, 'conf/server.xml');
      const xml = await readFile(server, 'utf8');
      await writeFile(
        server,
        xml
          .replace('<Server port="8005"', '<Server port="-1"')
          .replace('<Connector port="8080"', `<Connector address="localhost" port="${port}"`),
      );
      await appendSettings(path.join(application, 'WEB-INF/classes/settings.properties'), {
        'files.docservice.url.site': `${documentServer}/`,
        'files.docservice.secret': secret,
      });
    },
  },
};

const root = process.env.EXAMPLES_DIR;
const chosen = process.env.EXAMPLES?.split(',');

/** The examples that are installed below `EXAMPLES_DIR`; those that `EXAMPLES` names where it is set. */
export const installedExamples: readonly string[] = root
  ? Object.entries(launches)
      .filter(([name, { installed }]) => existsSync(path.join(root, name, installed)))
      .map(([name]) => name)
      .filter((name) => chosen?.includes(name) ?? true)
  : [];

/** Where an example is installed. */
export const exampleDirectory = (name: string): string => path.join(root!, name);

/** One of the integration examples in a process of its own, on a scratch storage and a free port. */
export class IntegrationExample {
  readonly address: string;
  /** The address of its page of forgotten files. */
  readonly forgottenPage: string;
  readonly #child: ChildProcess;
  readonly #storage: string;
  readonly #output: string[] = [];

  private constructor(name: string, port: number, child: ChildProcess, storage: string) {
    this.address = `http://localhost:${port}`;
    this.forgottenPage = `${this.address}/${launches[name]!.forgottenPage ?? 'forgotten'}`;
    this.#child = child;
    this.#storage = storage;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output.push(text);
        if (this.#output.length > 2_000) this.#output.shift();
      });
    }
  }

  /** Starts an example and waits until it answers. */
  static async start(
    name: string,
    { documentServer, secret, port }: Pick<Surroundings, 'documentServer' | 'secret'> & { port?: number },
  ): Promise<IntegrationExample> {
    const { program, args, environment, prepare } = launches[name]!;
    const directory = exampleDirectory(name);
    const storage = await mkdtemp(path.join(os.tmpdir(), 'quire-test-example-'));
    const surroundings = { port: port ?? (await freePort()), documentServer, secret, storage };
    await prepare?.(surroundings, directory);
    const child = spawn(program(directory), args(surroundings, directory), {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment(surroundings) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a group of its own: some start others that outlive them.
      detached: true,
    });
    const example = new IntegrationExample(name, surroundings.port, child, storage);
    try {
      await example.#answers();
      return example;
    } catch (error) {
      // What it has started would outlive the test.
      await example.close();
      throw error;
    }
  }

  /** The last of what it wrote, for failure messages. */
  get output(): string {
    return this.#output.join('').slice(-4_000);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      process.kill(-this.#child.pid!, 'SIGTERM');
      const timer = setTimeout(() => process.kill(-this.#child.pid!, 'SIGKILL'), 5_000);
      await exited;
      clearTimeout(timer);
    }
    await rm(this.#storage, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const response = await fetch(this.address).catch(() => null);
      await response?.arrayBuffer();
      if (response?.ok) return;
      if (this.#child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The example does not answer: ${this.output}`);
  }
}
