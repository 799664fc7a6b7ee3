import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';

const name = process.platform === 'win32' ? 'llama-omni-server.exe' : 'llama-omni-server';

/**
 * Finds the program at this path. If the path is empty, it searches PATH, the folders where the program is usually built,
 * and the folder of the model, where installers put it.
 */
export async function findModelProgram(path: string, modelFolder = ''): Promise<Outcome<string>> {
  if (path !== '') return checkProgram(path);
  const modelFolders = modelFolder === '' ? [] : [modelFolder, join(modelFolder, 'bin')];
  for (const candidate of [...usualPaths(), ...modelFolders.map((folder) => join(folder, name))]) {
    const found = await checkProgram(candidate);
    if (found.ok) return found;
  }
  return failure('modelProgramMissing');
}

function usualPaths(): readonly string[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const home = homedir();
  const folders = [
    ...onPath,
    join(home, '.local/bin'),
    join(home, 'llama.cpp-omni/build/bin'),
    '/usr/local/bin',
    '/opt/llama.cpp-omni/bin',
    '/opt/homebrew/bin',
  ];
  return folders.map((folder) => join(folder, name));
}

async function checkProgram(path: string): Promise<Outcome<string>> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() !== true) return failure('modelProgramGone', { path });
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return isExecutable ? { ok: true, value: path } : failure('modelProgramNotExecutable', { path });
}
