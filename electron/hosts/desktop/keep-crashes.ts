import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter } from 'electron';

/** Whoever mends Parley needs the last ones; each is a few megabytes. */
const mostKept = 5;
/** Where the engine puts them, by system. */
const parts = ['new', 'pending', 'completed', 'reports'];

/**
 * What a process of Parley's leaves when it crashes is kept in the state folder and never sent: there
 * is no address it could go to. Privacy lists and deletes it. To be called before the app is ready.
 */
export function keepCrashes(folder: string): void {
  try {
    app.setPath('crashDumps', folder);
    crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: false, compress: true });
    for (const { path } of dumpsIn(folder).slice(mostKept)) rmSync(path, { force: true });
  } catch {
    // Without reports, or with one too many until the next start, Parley is as it is.
  }
}

/** The newest first. */
function dumpsIn(folder: string): readonly { readonly path: string; readonly at: number }[] {
  return parts
    .flatMap((part) => namesIn(join(folder, part)).map((name) => join(folder, part, name)))
    .filter((path) => path.endsWith('.dmp'))
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
