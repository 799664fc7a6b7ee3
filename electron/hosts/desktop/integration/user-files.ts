import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** What starts this very program again. An AppImage runs from a place that is gone when it ends. */
export function thisProgram(): readonly string[] {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()])];
}

/** Where programs keep what a person has set, on Linux. */
export const configFolder = (): string => folderOf('XDG_CONFIG_HOME', '.config');

/** Where programs keep a person's data, on Linux. */
export const dataHome = (): string => folderOf('XDG_DATA_HOME', join('.local', 'share'));

function folderOf(variable: string, usual: string): string {
  const given = process.env[variable] ?? '';
  return given === '' ? join(homedir(), usual) : given;
}

/** Written whole under another name first; a link to a file elsewhere stays one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const place = await realpath(path).catch(() => path);
  const draft = `${place}.draft`;
  await writeFile(draft, text);
  await rename(draft, place);
}
