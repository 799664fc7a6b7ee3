import { spawn } from 'node:child_process';
import { instant } from '../../contract/sound/player.ts';

type Environment = Readonly<Record<string, string>>;

export interface SoundProcess {
  /** Id of the recording or playing program. */
  readonly pid: number | undefined;
  readonly end: () => void;
}

/** Records a sink or source. */
export function recordFrom(
  device: string,
  rate: number,
  environment: Environment,
  captured: (block: Float32Array, at: number) => void,
): SoundProcess {
  const format = ['--format=float32le', `--rate=${rate}`, '--channels=1', '--latency-msec=10'];
  const child = spawn('parec', [`--device=${device}`, ...format], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let rest = Buffer.alloc(0);
  child.stdout.on('data', (piece: Buffer) => {
    const at = instant();
    const all = Buffer.concat([rest, piece]);
    const whole = all.length - (all.length % 4);
    rest = all.subarray(whole);
    const block = new Float32Array(whole / 4);
    for (let index = 0; index < block.length; index += 1) block[index] = all.readFloatLE(index * 4);
    captured(block, at);
  });
  return { pid: child.pid, end: () => void child.kill() };
}

export interface PlayingProcess extends SoundProcess {
  /** Resolves when the program accepts more. */
  readonly play: (samples: Float32Array) => Promise<void>;
}

/** Plays into a sink, including the virtual microphone's. */
export function playInto(
  device: string,
  rate: number,
  latencyMs: number,
  environment: Environment,
): PlayingProcess {
  const format = ['--format=float32le', `--rate=${rate}`, '--channels=1'];
  const child = spawn(
    'pacat',
    ['--playback', `--device=${device}`, `--latency-msec=${latencyMs}`, ...format],
    { env: { ...process.env, ...environment }, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid,
    play: (samples) =>
      new Promise((resolve) => {
        child.stdin.write(Buffer.from(samples.buffer), () => {
          resolve();
        });
      }),
    end: () => void child.kill(),
  };
}
