import { fileURLToPath } from 'node:url';

/** Given by the system at the start of a session: begin in the tray, without a window. */
export const hiddenFlag = '--hidden';

/** Given by the entry in the system's menu, for the mini window. */
const miniFlag = '--mini';

/** What the arguments of a start ask for; those of Electron and Chromium are none of ours. */
export interface StartArguments {
  readonly hidden: boolean;
  readonly mini: boolean;
  /** As it came; whether it can be followed is judged elsewhere. */
  readonly link: string | undefined;
  /** A tape that was opened with Parley, as it came. */
  readonly tape: string | undefined;
}

export function readStartArguments(argv: readonly string[]): StartArguments {
  const given = argv.slice(1);
  return {
    hidden: given.includes(hiddenFlag),
    mini: given.includes(miniFlag),
    link: given.findLast((argument) => /^parley:/iu.test(argument)),
    tape: given.map(localPath).findLast((argument) => tapeFile.test(argument)),
  };
}

/** A desktop whose entry takes links gives files as links, too. */
function localPath(argument: string): string {
  if (!/^file:/iu.test(argument)) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
}

/** One file, or the lines of one that is a folder; an option is neither. */
const tapeFile = /^(?!-).*(?:\.parleytape|[/\\]tape\.ndjson)$/iu;
