import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A program that is built with Go: in PATH, or where `go install` puts programs. Undefined where it is not. */
export function goProgram(name: string): string | undefined {
  const goPath = process.env.GOPATH || path.join(os.homedir(), 'go');
  const own = process.env.GOBIN || path.join(goPath.split(path.delimiter)[0]!, 'bin');
  const files = [...(process.env.PATH ?? '').split(path.delimiter), own].map((one) => path.join(one, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
