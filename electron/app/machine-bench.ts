// The benchmarks of `parley bench`.

import { join } from 'node:path';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Frames } from '../../shared/ports/pictures.ts';
import type { Proxies } from '../../shared/ports/sockets.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { CapturePipeline } from '../audio/capture/microphone.ts';
import { SincResampler } from '../audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../audio/echo/adaptive-canceller.ts';
import { CaptureEnhancement } from '../audio/enhance/capture-enhancement.ts';
import { createBackendCodec } from '../gateway/backend.ts';
import type { DemoSpeech } from '../gateway/gateway-options.ts';
import { warmUp } from '../model/warm-up.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { createFiles } from '../platform/files/file-storage.ts';
import { makeScratchFolder } from '../platform/files/scratch-folder.ts';
import { PictureThread } from '../platform/pictures/picture-thread.ts';
import { createFrames } from '../platform/pictures/pictures.ts';
import { bufferBase64, startSha256 } from '../platform/system/base64-sha256.ts';
import { systemClock } from '../platform/system/system-clock.ts';
import { openTapeRecorder } from '../recordings/record/tape-files-recorder.ts';
import { planFrame } from '../vision/prepare-frame.ts';
import { loadDefaultVoice, openModelIn } from './model-server.ts';
import { resourcesFolder } from './resources.ts';

export interface ModelBench {
  /** Loads the model; resolves to the milliseconds that it took. */
  readonly load: () => Promise<Outcome<number>>;
  /** Measures this many steps of a talk, each with a picture or without. */
  readonly measure: (steps: number, withPicture: boolean) => Promise<Outcome<readonly number[]>>;
}

/** Measures the model on this computer. Its process ends with the lifetime. */
export function openModelBench(
  machine: Parameters<typeof openModelIn>[0],
  proxies: Proxies,
  choice: Parameters<typeof openModelIn>[2],
): ModelBench {
  const { clock } = machine;
  const { server, backend } = openModelIn(machine, proxies, choice);
  return {
    load: async () => {
      const startedAt = clock.now();
      const ready = await server.ready();
      return ready.ok ? { ok: true, value: clock.now() - startedAt } : ready;
    },
    measure: async (steps, withPicture) => {
      const prepare = withPicture ? await openCamera() : undefined;
      if (prepare?.ok === false) return prepare;
      const frame = await prepare?.value();
      if (frame?.ok === false) return frame;
      const measured = await warmUp(backend, {
        clock,
        codec: createBackendCodec(bufferBase64),
        voice: await loadDefaultVoice(),
        onReceived: () => undefined,
        steps,
        picture: frame?.value.jpeg,
      });
      if (measured.kind === 'warm') return { ok: true, value: measured.stepMs };
      // If the process has ended, its error is the reason.
      const { state } = server;
      return 'error' in state ? { ok: false, error: state.error } : failure('modelStopped');
    },
  };
}

/** Benchmarks of the CPU work of a talk. They need no server and no sound card. */
export async function composeMachineBench(): Promise<Outcome<readonly Benchmark[]>> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  if (!speech.ok) return speech;
  const vision = await visionBenchmark();
  if (!vision.ok) return vision;
  return { ok: true, value: [...soundBenchmarks(speech.value), vision.value, recordingBenchmark] };
}

/** Does one kind of work for `seconds` of a talk. */
export interface Benchmark {
  readonly name: 'listening' | 'answering' | 'vision' | 'recording';
  readonly seconds: number;
  readonly work: () => Promise<Outcome<undefined>>;
}

const seconds = 20;
const blockSamples = inputRate / 100;
/** The rate of most sound cards. */
const cardRate = 48_000;

function repeatSpeech({ clips }: DemoSpeech): Float32Array {
  const sound = new Float32Array(seconds * outputRate);
  let offset = 0;
  while (offset < sound.length) {
    const start = offset;
    for (const { audio } of clips) {
      sound.set(
        audio.subarray(0, Math.max(0, sound.length - offset)),
        Math.min(offset, sound.length),
      );
      offset += audio.length;
    }
    // Without clips the sound stays silent.
    if (offset === start) break;
  }
  return sound;
}

/** The sound work of a talk at its most expensive: an answer plays while somebody speaks, and every filter runs. */
function soundBenchmarks(speech: DemoSpeech): readonly Benchmark[] {
  const played = repeatSpeech(speech);
  const farEnd = new SincResampler(outputRate, inputRate).convert(played);
  const server = createServerCodec(bufferBase64);
  const answer = Array.from({ length: seconds }, (_none, second) => {
    const audio = played.slice(second * outputRate, (second + 1) * outputRate);
    return server.encodeServerEvent({ kind: 'output', wire: 'unified', audio }, 'unified').join('');
  });
  return [
    {
      name: 'listening',
      seconds,
      work: () => {
        captureWithEcho(farEnd);
        return Promise.resolve(done);
      },
    },
    {
      name: 'answering',
      seconds,
      work: () => {
        const client = createClientCodec(bufferBase64);
        const card = new SincResampler(outputRate, cardRate);
        for (const frame of answer) {
          const event = client.decodeServerEvent(frame);
          if (event.kind === 'output' && event.audio !== undefined) card.convert(event.audio);
        }
        return Promise.resolve(done);
      },
    },
  ];
}

/** Captures the answer as an echo, half as loud and 40 ms late, mixed with near-end speech. */
function captureWithEcho(farEnd: Float32Array): void {
  const client = createClientCodec(bufferBase64);
  const canceller = new AdaptiveCanceller();
  const chunk = new Float32Array(inputRate);
  let filled = 0;
  const pipeline = new CapturePipeline(
    {
      pushAudio: (block) => {
        const part = block.subarray(0, chunk.length - filled);
        chunk.set(part, filled);
        filled += part.length;
        if (filled < chunk.length) return;
        client.encodeClientEvent({ kind: 'append', audio: chunk }, 'unified');
        filled = 0;
      },
    },
    { gain: () => 1, onLevel: () => undefined },
    undefined,
    new CaptureEnhancement(() => ({ noise: 'strong', level: 'strong' })),
  );
  pipeline.begin(undefined);
  const delay = (40 * inputRate) / 1000;
  const nearEndOffset = farEnd.length / 2;
  for (let from = 0; from + blockSamples <= farEnd.length; from += blockSamples) {
    const captured = Float32Array.from(
      { length: blockSamples },
      (_none, n) =>
        0.5 * (farEnd[from + n - delay] ?? 0) +
        (farEnd[(from + n + nearEndOffset) % farEnd.length] ?? 0),
    );
    canceller.process(captured, farEnd.slice(from, from + blockSamples));
    pipeline.push(captured, (from * 1000) / inputRate);
  }
}

const shortSeconds = 10;
const soundBlocksPerSecond = 50;
const camera = { width: 1280, height: 720 };

/** Makes a camera picture, and returns a function that prepares it as for a talk. */
async function openCamera(): Promise<Outcome<() => ReturnType<Frames['prepare']>>> {
  const thread = new PictureThread();
  const { width, height } = camera;
  // Gradients: neither the best nor the worst case for JPEG.
  const pixels = Uint8Array.from(
    { length: width * height * 3 },
    (_none, n) => 128 + 90 * Math.sin(n / 700) * Math.cos(n / (width * 31)),
  );
  const file = await thread.run(failure('frameBroken'), 'encode', pixels, camera, 90);
  if (!file.ok) return file;
  const frames = createFrames(thread);
  const prepare = () => frames.prepare(file.value, (size) => planFrame(size, undefined, 1));
  return { ok: true, value: prepare };
}

/** Prepares one camera frame per second for the server. */
async function visionBenchmark(): Promise<Outcome<Benchmark>> {
  const prepare = await openCamera();
  if (!prepare.ok) return prepare;
  return {
    ok: true,
    value: {
      name: 'vision',
      seconds: shortSeconds,
      work: async () => {
        for (let second = 0; second < shortSeconds; second += 1) {
          const frame = await prepare.value();
          if (!frame.ok) return frame;
        }
        return done;
      },
    },
  };
}

/** Records wire frames and both voices to a tape in a temporary folder. */
export const recordingBenchmark: Benchmark = {
  name: 'recording',
  seconds: shortSeconds,
  work: async () => {
    const { path, remove } = await makeScratchFolder('bench');
    try {
      return await record(join(path, 'tape'));
    } finally {
      await remove();
    }
  },
};

function makeToneBlock(rate: number): Float32Array {
  const length = rate / soundBlocksPerSecond;
  return Float32Array.from({ length }, (_none, n) => 0.3 * Math.sin(n / 9));
}

function encodeOneSecond(): { readonly request: string; readonly answer: string } {
  const audio = new Float32Array(outputRate).fill(0.1);
  const append = { kind: 'append', audio: audio.subarray(0, inputRate) } as const;
  const output = { kind: 'output', wire: 'unified', audio } as const;
  return {
    request: createClientCodec(bufferBase64).encodeClientEvent(append, 'unified'),
    answer: createServerCodec(bufferBase64).encodeServerEvent(output, 'unified').join(''),
  };
}

async function record(folder: string): Promise<Outcome<undefined>> {
  const header = {
    format: 'parley-tape',
    version: 1,
    mode: 'audio',
    dialect: 'unified',
    chunkMs: 1000,
    settings: {},
    endpoint: 'parley:demonstration',
    sound: 'pcm16',
    recordedAt: new Date(0).toISOString(),
  } as const;
  const opened = await openTapeRecorder(folder, header, {
    files: createFiles(),
    clock: systemClock,
    base64: bufferBase64,
    digest: startSha256,
    upsampler: () => new SincResampler(inputRate, outputRate),
    // Ignored here, because `close` returns the error.
    onError: () => undefined,
  });
  if (!opened.ok) return opened;
  const recorder = opened.value;
  recorder.record({ dir: 'open', connection: 1 });
  const [spoken, played] = [makeToneBlock(inputRate), makeToneBlock(outputRate)];
  const { request, answer } = encodeOneSecond();
  for (let block = 0; block < shortSeconds * soundBlocksPerSecond; block += 1) {
    if (block % soundBlocksPerSecond === 0) {
      recorder.record({ dir: 'out', connection: 1, text: request });
      recorder.record({ dir: 'in', connection: 1, text: answer });
    }
    recorder.addSound('you', spoken);
    recorder.addSound('parley', played);
  }
  return recorder.close();
}
