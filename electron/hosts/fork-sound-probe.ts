import { fork } from 'node:child_process';
import { Socket } from 'node:net';
import type { StartSoundProbe } from '../ports/sound-probe.ts';
import { lastWordsOf, soundProbeEnvironment } from './sound-probe-environment.ts';

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
