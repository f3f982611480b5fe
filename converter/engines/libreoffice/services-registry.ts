import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Libraries whose services no conversion needs. The one for media opens every film that a presentation names or holds, and
 * waits 10 s for its size, twice.
 */
const unwanted = ['libavmediagst.so', 'libavmediaqt5.so', 'libavmediaqt6.so'];

/**
 * The registry of LibreOffice's services without those that no conversion needs, in the XML of `services.rdb`. Null where
 * the installation has it in another form: then LibreOffice takes its own.
 */
export async function servicesRegistry(installationDirectory: string): Promise<string | null> {
  const file = path.join(installationDirectory, 'program', 'services', 'services.rdb');
  const registry = await readFile(file, 'utf8').catch(() => null);
  if (registry === null || !/^<\?xml|^<components/.test(registry)) return null;
  return unwanted.reduce((text, library) => {
    const component = new RegExp(`<component [^>]*/${library.replaceAll('.', '\\.')}".*?</component>`, 's');
    return text.replace(component, '');
  }, registry);
}
