import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A node of LibreOffice's configuration and the values of its properties. */
type Setting = readonly [path: string, values: Readonly<Record<string, boolean | number | string>>];

/** A port on which nothing answers: what is asked for over HTTP goes there. */
const deadProxy = { name: '127.0.0.1', port: 1 } as const;

/** Numbers of LibreOffice's own for "never". */
const macrosNever = { MacroSecurityLevel: 3, OfficeBasic: 0 } as const;
const linksNever = { writer: 0, calc: 1 } as const;
const manualProxy = 2;

/**
 * What sheets are called, with a number, until their file has named them. LibreOffice numbers a sheet of a file that is called so but for its
 * capitals (`sheet1`), and with its own `Sheet` that is not rare.
 */
export const unnamedSheet = 'quire-unnamed-';

/**
 * No macro runs, nothing a document names beside itself is read or fetched, nothing is remembered of documents, and
 * nothing is asked of anybody.
 */
const settings: readonly Setting[] = [
  [
    '/org.openoffice.Office.Common/Security/Scripting',
    {
      ...macrosNever,
      DisableMacrosExecution: true,
      ExecutePlugins: false,
      CheckDocumentEvents: true,
      // No place is trusted: linked pictures and the like are refused whatever document names them.
      BlockUntrustedRefererLinks: true,
    },
  ],
  ['/org.openoffice.Office.Writer/Content/Update', { Link: linksNever.writer, Field: false, Chart: false }],
  ['/org.openoffice.Office.Calc/Content/Update', { Link: linksNever.calc }],
  ['/org.openoffice.Office.Calc/Defaults/Sheet', { SheetPrefix: unnamedSheet }],
  ['/org.openoffice.Office.Writer/Filter/Import/VBA', { Load: true, Executable: false }],
  ['/org.openoffice.Office.Calc/Filter/Import/VBA', { Load: true, Executable: false }],
  ['/org.openoffice.Office.Java/VirtualMachine', { Enable: false }],
  [
    '/org.openoffice.Inet/Settings',
    {
      ooInetProxyType: manualProxy,
      ooInetHTTPProxyName: deadProxy.name,
      ooInetHTTPProxyPort: deadProxy.port,
      ooInetHTTPSProxyName: deadProxy.name,
      ooInetHTTPSProxyPort: deadProxy.port,
      ooInetFTPProxyName: deadProxy.name,
      ooInetFTPProxyPort: deadProxy.port,
      ConnectTimeout: 1,
      ReadTimeout: 1,
    },
  ],
  ['/org.openoffice.Office.Common/Load', { DetectWebDAVRedirection: false, ShowOfficeUpdateDialog: false }],
  [
    '/org.openoffice.Office.Common/Misc',
    {
      CrashReport: false,
      ShowTipOfTheDay: false,
      FirstRun: false,
      PluginsEnabled: false,
      UseLocking: false,
      UseDocumentOOoLockFile: false,
      UseDocumentSystemFileLocking: false,
      UseOpenCL: false,
    },
  ],
  [
    '/org.openoffice.Office.Common/Save/Document',
    { AutoSave: false, CreateBackup: false, LoadPrinter: false, UseUserData: false, WarnAlienFormat: false },
  ],
  ['/org.openoffice.Office.Common/History', { PickListSize: 0, Size: 0, RecentDocsThumbnail: false }],
  ['/org.openoffice.Office.Common/Undo', { Steps: 0 }],
  ['/org.openoffice.Office.Recovery/AutoSave', { Enabled: false }],
  ['/org.openoffice.Office.Recovery/RecoveryInfo', { Enabled: false, Crashed: false, SessionData: false }],
  ['/org.openoffice.Setup/Office', { ooSetupInstCompleted: true }],
];

/** The text of `user/registrymodifications.xcu` of a profile for documents that nobody vouches for. */
export function profileSettings(): string {
  const items = settings.flatMap(([path, values]) =>
    Object.entries(values).map(
      ([name, value]) =>
        `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry">',
    ...items,
    '</oor:items>',
    '',
  ].join('\n');
}

/** The files of a profile by their paths in it. It is small, and kept in memory so that nothing of it can be left behind. */
export type ProfileFiles = readonly (readonly [name: string, bytes: Uint8Array])[];

/** LibreOffice's mark of who uses a profile. */
const inUse = '.lock';

/** Reads the files of a profile. */
export async function readProfile(directory: string): Promise<ProfileFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== inUse);
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(directory, file), await readFile(file)] as const;
    }),
  );
}

/** Makes a profile of files. */
export async function writeProfile(directory: string, files: ProfileFiles): Promise<void> {
  for (const [name, bytes] of files) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}
