import { fork } from 'node:child_process';
import { Socket } from 'node:net';
import type { StartSoundProbe } from '../audio/devices/sound-driver.ts';

/** For hosts that run in Node: what asks for the sound devices first is another Node. */
export function forkSoundProbe(entry: string): StartSoundProbe {
  return ({ message, ended }) => {
    const child = fork(entry, [], {
      execArgv: [],
      env: soundProbeEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let written = '';
    child.stderr?.on(
      'data',
      (text: Buffer) => (written = (written + text.toString()).slice(-2000)),
    );
    child.on('message', message);
    // After all that it wrote.
    child.once('close', (_code, signal) => {
      ended(lastWordsOf(written) || (signal ?? ''));
    });
    // It is no reason for a command to stay: whoever waits for sound has a timer.
    child.unref();
    child.channel?.unref();
    if (child.stderr instanceof Socket) child.stderr.unref();
    child.on('error', ({ message: why }) => {
      ended(why);
    });
    return {
      // What cannot be sent any more is told by its end.
      ask: () => child.send('ask', () => undefined),
      kill: () => child.kill('SIGKILL'),
    };
  };
}

/**
 * The environment of the process that asks for the sound devices: all that leads a sound library to its server,
 * which is a name of its own on every system, and no token.
 */
export function soundProbeEnvironment(
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
export function lastWordsOf(written: string): string {
  const lines = written.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, longestWords);
}
