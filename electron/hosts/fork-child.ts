import { fork } from 'node:child_process';
import { Socket } from 'node:net';
import type { HostProcesses, StartChildProcess } from '../../shared/ports/child-process.ts';
import { built } from './built.ts';

/** A part of Parley that runs in a process of its own, whichever way a host starts that. */
export interface ChildEntry {
  /** The entry as it is built. */
  readonly file: string;
  /** As the system lists the process. */
  readonly name: string;
  readonly environment: () => Record<string, string>;
  /** Why it ended is of interest, and is the last line that it wrote. */
  readonly keepsLastWords: boolean;
}

/** Asks for the sound devices before the process that wants them does. */
export const soundProbeEntry: ChildEntry = {
  file: built('probe-sound.js'),
  name: 'Parley sound',
  environment: () => soundProbeEnvironment(process.env),
  keepsLastWords: true,
};

/** Those of a host that runs in Node. */
export const forkedProcesses: HostProcesses = {
  startSoundProbe: forkChild(soundProbeEntry),
};

/** For hosts that run in Node: another Node. */
export function forkChild<Request extends object | string>({
  file,
  environment,
  keepsLastWords,
}: ChildEntry): StartChildProcess<Request> {
  return ({ message, ended }) => {
    const child = fork(file, [], {
      // Bytes go as bytes.
      serialization: 'advanced',
      execArgv: [],
      env: environment(),
      stdio: ['ignore', 'ignore', keepsLastWords ? 'pipe' : 'ignore', 'ipc'],
    });
    const lastWords = lastWordsIn(child.stderr);
    child.on('message', message);
    // After all that it wrote.
    child.once('close', (_code, signal) => ended(lastWords() || (signal ?? '')));
    child.on('error', ({ message: why }) => ended(why));
    // It is no reason for a command to stay: whoever waits for it has a timer.
    child.unref();
    child.channel?.unref();
    if (child.stderr instanceof Socket) child.stderr.unref();
    return {
      // What cannot be sent any more is told by its end.
      post: (request) => child.send(request, () => undefined),
      kill: () => child.kill('SIGKILL'),
    };
  };
}

/**
 * The environment of the process that asks for the sound devices: all that leads a sound library to its server,
 * which is a name of its own on every system, and no token.
 */
function soundProbeEnvironment(
  all: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/token/i.test(entry[0]),
    ),
  );
}

const longestWords = 300;

/** What a library said when it gave up is the last line that it wrote. */
export function lastWordsIn(stderr: NodeJS.ReadableStream | null): () => string {
  let written = '';
  stderr?.on('data', (text: Buffer) => (written = (written + text.toString()).slice(-2000)));
  return () => {
    const lines = written.split('\n').map((line) => line.trim());
    return (lines.findLast((line) => line !== '') ?? '').slice(0, longestWords);
  };
}
