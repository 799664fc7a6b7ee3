import { fork } from 'node:child_process';
import { Socket } from 'node:net';
import type { HostProcesses, StartChildProcess } from '../../shared/ports/child-process.ts';
import { builtFile } from './build-info.ts';

/** A child process of Parley, as Electron or Node starts it. */
export interface ChildEntry {
  readonly file: string;
  /** The name in the system's process list. */
  readonly name: string;
  /** Whether to capture its last line on stderr, which tells why it ended. */
  readonly capturesLastLine: boolean;
}

/** The child that opens the sound system first, because opening it may crash a process. */
export const soundProbeEntry: ChildEntry = {
  file: builtFile('probe-sound.js'),
  name: 'Parley sound',
  capturesLastLine: true,
};

export const forkedProcesses: HostProcesses = {
  startSoundProbe: forkChild(soundProbeEntry),
};

export function forkChild<Request extends object | string>({
  file,
  capturesLastLine,
}: ChildEntry): StartChildProcess<Request> {
  return ({ onMessage, onEnd }) => {
    const child = fork(file, [], {
      // Sends byte arrays without conversion.
      serialization: 'advanced',
      execArgv: [],
      env: childEnvironment(process.env),
      stdio: ['ignore', 'ignore', capturesLastLine ? 'pipe' : 'ignore', 'ipc'],
    });
    const lastLine = captureLastLine(child.stderr);
    child.on('message', onMessage);
    // `close` comes after all output.
    child.once('close', (_code, signal) => onEnd(lastLine() || (signal ?? '')));
    child.on('error', ({ message }) => onEnd(message));
    // The child must not keep a command running. The caller has a timeout.
    child.unref();
    child.channel?.unref();
    if (child.stderr instanceof Socket) child.stderr.unref();
    return {
      // A send after the exit fails. `onEnd` reports the exit.
      post: (request) => child.send(request, () => undefined),
      kill: () => child.kill('SIGKILL'),
    };
  };
}

/** Names of environment variables that may hold secrets. No child process needs one. */
const secretName = /token|key|secret|passw|credential/i;

/** The environment of Parley's own child processes: that of their parent, without secrets. */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !secretName.test(entry[0]),
    ),
  );
}

const maxLastLine = 300;

/** Returns a function that reads the last line of stderr, where libraries report why they failed. */
export function captureLastLine(stderr: NodeJS.ReadableStream | null): () => string {
  let output = '';
  stderr?.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-2000)));
  return () => {
    const lines = output.split('\n').map((line) => line.trim());
    return (lines.findLast((line) => line !== '') ?? '').slice(0, maxLastLine);
  };
}
