import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CapturePipeline,
  SupervisedMicrophone,
} from '../../../electron/audio/capture/microphone.ts';
import type { DeviceEvent } from '../../../electron/audio/devices/stream-supervisor.ts';
import { Speaker } from '../../../electron/audio/playback/speaker.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';

export interface PlayerMessage {
  readonly word: 'event' | 'stats' | 'ended';
  readonly at: number;
  readonly who?: string;
  readonly kind?: string;
  readonly heard?: number;
  readonly captured?: number;
  readonly silenced?: number;
  readonly samples?: number;
  readonly lost?: number;
  readonly devices?: number;
  readonly rss?: number;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The process that plays and captures, with its reports. */
export class Player {
  readonly messages: PlayerMessage[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;

  constructor(environment: Readonly<Record<string, string>>, speaker = 'default') {
    const words = [here('run-module.mjs'), here('player.ts'), speaker];
    this.#child = spawn(process.execPath, words, {
      env: { ...process.env, ...environment },
    });
    let rest = '';
    this.#child.stdout.on('data', (piece: Buffer) => {
      const lines = (rest + piece.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as PlayerMessage);
    });
    // Discards the warnings that the sound system prints.
    this.#child.stderr.resume();
    this.exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  get stats(): PlayerMessage | undefined {
    return this.messages.findLast(({ word }) => word === 'stats');
  }

  /** The first matching message after `since`. */
  async until(
    what: string,
    since: number,
    matches: (message: PlayerMessage) => boolean,
  ): Promise<PlayerMessage> {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const found = this.messages.find((message) => message.at >= since && matches(message));
      if (found !== undefined) return found;
      await wait(25);
    }
    throw new Error(`Timed out waiting until ${what}.`);
  }

  /** The exit code; undefined if it does not exit. */
  async askToEnd(): Promise<number | null | undefined> {
    this.#child.stdin.write('end\n');
    const patience = new AbortController();
    const { signal } = patience;
    const late = wait(10_000, undefined, { signal }).catch(() => undefined);
    const code = await Promise.race([this.exited, late]);
    patience.abort();
    return code;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Milliseconds on a clock shared between processes. */
export function instant(): number {
  return performance.timeOrigin + performance.now();
}

function say(word: string, facts: Readonly<Record<string, unknown>>): void {
  const at = performance.timeOrigin + performance.now();
  process.stdout.write(`${JSON.stringify({ word, at, ...facts })}\n`);
}

/** The code of the child process, which must be able to exit at any moment. */
export async function run(name: string): Promise<void> {
  const driver = createPortAudioDriver();
  const deps = (who: string) => ({
    driver,
    clock: systemClock,
    emit: (event: DeviceEvent) => {
      say('event', { who, kind: event.kind });
    },
  });
  let samples = 0;
  const choice = name === 'default' ? name : { name };
  const { emit, ...speakerDeps } = deps('speaker');
  const speaker = new Speaker({ device: choice, emit }, speakerDeps);
  await speaker.open();
  const microphone = new SupervisedMicrophone('default', {
    ...deps('microphone'),
    pipeline: new CapturePipeline(
      { pushAudio: (block) => void (samples += block.length) },
      { gain: () => 1 },
    ),
  });
  await microphone.begin();
  const second = new Float32Array(outputRate).fill(0.001);
  const timer = setInterval(() => {
    if (speaker.queued() < outputRate) speaker.write(second);
    say('stats', {
      heard: speaker.heard(),
      captured: microphone.counters().captured,
      silenced: microphone.counters().silenced,
      lost: microphone.counters().lost,
      devices: microphone.counters().devices,
      samples,
      rss: process.memoryUsage().rss,
    });
  }, 50);
  process.stdin.once('data', () => {
    clearInterval(timer);
    void end();
  });
  async function end(): Promise<void> {
    await Promise.all([speaker.end(), microphone.end()]);
    say('ended', {});
    process.stdin.destroy();
  }
}
