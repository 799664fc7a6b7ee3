import { spawn } from 'node:child_process';
import { Framer } from '../../shared/audio/framer.ts';
import { appError, type AppError, type Outcome, errorCode } from '../../shared/errors/app-error.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type {
  CaptureListener,
  MicrophoneStream,
  OpenComputerSound,
  SoundDevice,
} from '../audio/devices/sound-driver.ts';

const blockMs = 20;
const blockSamples = (inputRate * blockMs) / 1000;
const sampleBytes = Float32Array.BYTES_PER_ELEMENT;
const startTimeoutMs = 3000;
const killAfterMs = 1000;
/** A stream without data for this long is dead, because PulseAudio sends silence while nothing plays. */
const deadAfterMs = 2000;
const maxErrorLength = 1000;

const streamArgs = [
  '--device=@DEFAULT_MONITOR@',
  '--format=float32le',
  `--rate=${inputRate}`,
  '--channels=1',
  `--latency-msec=${blockMs}`,
  '--client-name=Parley',
  '--stream-name=Parley hears this computer',
];

/** Captures what this computer plays with `parec`, a client of PulseAudio and PipeWire. Undefined except on Linux. */
export function createComputerSound(program = 'parec'): OpenComputerSound | undefined {
  return process.platform === 'linux' ? (listener) => openMonitor(program, listener) : undefined;
}

function openMonitor(
  program: string,
  listener: CaptureListener,
): Promise<Outcome<MicrophoneStream>> {
  return new Promise((resolve) => {
    const child = spawn(program, streamArgs, { stdio: ['ignore', 'pipe', 'pipe'] });
    const reader = new MonitorReader(listener);
    const stopWatching = watchDefaults(() => reader.close());
    let lastError = '';
    const exited = new Promise<void>((done) => child.once('close', () => done()));
    const close = async (): Promise<void> => {
      reader.close();
      stopWatching();
      child.kill();
      const force = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await exited;
      clearTimeout(force);
    };
    const fail = (error: AppError): void => {
      clearTimeout(timer);
      resolve({ ok: false, error });
    };
    const timer = setTimeout(() => {
      void close();
      fail(appError('computerSoundFailed', {}, { detail: 'it sends nothing' }));
    }, startTimeoutMs);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      lastError = (lastError + text).slice(-maxErrorLength);
    });
    child.stdout.on('data', (bytes: Buffer) => reader.read(bytes));
    child.stdout.once('data', () => {
      clearTimeout(timer);
      resolve({ ok: true, value: { ...reader.stream, close } });
    });
    child.once('error', (error) => {
      const isMissing = errorCode(error) === 'ENOENT';
      if (isMissing) fail(appError('computerSoundProgramMissing'));
      else fail(appError('computerSoundFailed', {}, { detail: error.message }));
    });
    child.once('close', () => {
      reader.close();
      stopWatching();
      const detail = lastError.trim().split('\n').at(-1) ?? '';
      fail(appError('computerSoundFailed', {}, { detail }));
    });
  });
}

/** The words that `pactl` prints when another speaker or microphone becomes the default. */
const defaultsChanged = "'change' on server";

/**
 * Calls `onChange` when another device becomes the default. PulseAudio then moves playing programs to this device, but
 * does not move the capture of what they play. Without `pactl`, does nothing.
 */
function watchDefaults(onChange: () => void): () => void {
  // The words that `pactl` prints depend on the language.
  const env = { ...process.env, LC_ALL: 'C' };
  const child = spawn('pactl', ['subscribe'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let newest = '';
  child.once('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    newest = (newest + text).slice(-maxErrorLength);
    if (newest.includes(defaultsChanged)) onChange();
  });
  return () => void child.kill();
}

/** Cuts the bytes into blocks, and computes when each was played. */
class MonitorReader {
  readonly #listener: CaptureListener;
  readonly #framer = new Framer(blockSamples);
  /** The first bytes of a sample whose other bytes have not arrived. */
  #partialSample: Buffer = Buffer.alloc(0);
  #captured = 0;
  #lastAt = 0;
  #isClosed = false;

  constructor(listener: CaptureListener) {
    this.#listener = listener;
  }

  get stream(): Omit<MicrophoneStream, 'close'> {
    return {
      device: computerDevice,
      rate: inputRate,
      stats: () => ({
        alive: !this.#isClosed && portAudioMs() - this.#lastAt < deadAfterMs,
        captured: this.#captured,
        lost: 0,
        repaired: 0,
        latencyMs: blockMs,
      }),
    };
  }

  read(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#lastAt = portAudioMs();
    const all =
      this.#partialSample.length === 0 ? bytes : Buffer.concat([this.#partialSample, bytes]);
    const count = Math.floor(all.length / sampleBytes);
    this.#partialSample = all.subarray(count * sampleBytes);
    const samples = new Float32Array(count);
    for (let n = 0; n < count; n += 1) samples[n] = all.readFloatLE(n * sampleBytes);
    const blocks = this.#framer.push(samples);
    const pendingMs = ((blockSamples - this.#framer.missing) % blockSamples) / (inputRate / 1000);
    blocks.forEach((block, index) => {
      this.#captured += block.length;
      const ageMs = pendingMs + (blocks.length - index) * blockMs;
      this.#listener.captured(block, this.#lastAt - ageMs);
    });
  }

  close(): void {
    this.#isClosed = true;
  }
}

/**
 * The time by the clock of PortAudio's timestamps, which is the wall clock on Linux. The echo canceller compares those
 * timestamps with the times of this sound.
 */
function portAudioMs(): number {
  return Date.now();
}

const computerDevice: SoundDevice = {
  name: 'this computer',
  hostApi: 'PulseAudio',
  inputChannels: 1,
  outputChannels: 0,
  rate: inputRate,
  defaultInput: false,
  defaultOutput: false,
};
