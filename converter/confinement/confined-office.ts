import path from 'node:path';
import type { Command, Visible } from './command.ts';
import { type Confinement, confined } from './confinement.ts';
import { limited, type ResourceLimits } from './resource-limits.ts';

/** Where one LibreOffice lives. */
export interface OfficeRoom extends Visible {
  confinement: Confinement;
  limits: ResourceLimits;
}

/** How a program is to be started. */
export interface OfficeStart {
  command: Command;
  environment: Readonly<Record<string, string>>;
}

/** What LibreOffice and its fonts need of the system beside its programs and libraries. */
const settingsOfSystem = [
  ...['/etc/fonts', '/etc/libreoffice', '/etc/ld.so.cache', '/etc/localtime', '/etc/alternatives'],
  ...['/var/cache/fontconfig', '/var/lib/libreoffice', '/var/spool/libreoffice'],
];

/**
 * How LibreOffice, or a program that starts it, is started in its room. Profile, sockets, temporary files and jobs lie
 * below the directory of the room: `temporary` in it must exist. Without namespaces LibreOffice makes its sockets
 * (`OSL_PIPE_…`) in /tmp all the same, and removes old ones there. It has nothing of this process's environment.
 */
export function confinedOffice(
  command: Command,
  { confinement, readable, directory, limits }: OfficeRoom,
): OfficeStart {
  const temporary = path.join(directory, 'temporary');
  const seen = [...settingsOfSystem, ...readable];
  const visible = { directory, socketDirectory: '/tmp', readable: seen, stays: true };
  return {
    command: limited(confined(command, visible, confinement), limits),
    environment: {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      LANG: 'C.UTF-8',
      HOME: directory,
      TMPDIR: temporary,
      OSL_SOCKET_PATH: temporary,
      SAL_USE_VCLPLUGIN: 'svp',
      SAL_DISABLE_OPENCL: '1',
      // Without its plugins GStreamer plays, and fetches, nothing that a presentation names.
      GST_PLUGIN_SYSTEM_PATH_1_0: temporary,
      GST_REGISTRY_FORK: 'no',
    },
  };
}
