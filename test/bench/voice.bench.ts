import { writeFileSync } from 'node:fs';
import {
  detectors,
  judgeDetector,
  snrs,
  type DetectorStats,
} from './recordings/judge-detectors.ts';
import { noiseClasses, readRecordings } from './recordings/read-recordings.ts';
import { parseArgs } from 'node:util';
import { CapturePipeline } from '../../electron/audio/capture/microphone.ts';
import { VoiceModel } from '../../electron/audio/detection/voice-model.ts';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../electron/audio/echo/adaptive-canceller.ts';
import { EchoCancellation } from '../../electron/audio/echo/echo-cancellation.ts';
import { SpeakerHistory } from '../../electron/audio/echo/far-end-signal.ts';
import { CaptureEnhancement } from '../../electron/audio/enhance/capture-enhancement.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { EnhancementStrength } from '../../shared/settings/audio-settings.ts';
import { echoRoom } from '../fakes/echo-room.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { stepSamples } from '../fakes/spoken-scene.ts';
import { printLine } from './bench-helpers.ts';

const seconds = 20;
const block = inputRate / 50;

/**
 * The processor cost of the capture pipeline; with `--recordings DIR`, how reliably the detector tells voice from noise,
 * compared with level, and with `--silero FILE.onnx` also with Silero.
 */
export async function bench(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      recordings: { type: 'string' },
      silero: { type: 'string' },
      json: { type: 'string' },
      voices: { type: 'string' },
    },
  });
  if (values.recordings !== undefined) {
    const voices = values.voices === undefined ? undefined : Number(values.voices);
    judgeRecordings({ ...values, voices, recordings: values.recordings });
    return;
  }
  printLine('CPU in % of a core while the speaker plays and somebody speaks');
  const { microphone, played } = echoRoom({ seed: 1, seconds, speaks: [[4, 16]] });
  const cost = (
    name: string,
    step: number,
    open: () => (from: number, to: number) => void,
  ): void => {
    const act = (): void => {
      const push = open();
      for (let from = 0; from + step <= microphone.length; from += step) push(from, from + step);
    };
    act();
    const before = process.cpuUsage();
    act();
    act();
    const { user, system } = process.cpuUsage(before);
    const percent = ((user + system) / 1e4 / (2 * seconds)).toFixed(2);
    printLine(`  ${name.padEnd(26)} ${percent}`);
  };
  cost('echo canceller', stepSamples, () => {
    const canceller = new AdaptiveCanceller();
    return (from, to) => canceller.process(microphone.slice(from, to), played.slice(from, to));
  });
  cost('voice detector', block, () => {
    const model = new VoiceModel();
    return (from, to) => {
      model.push(microphone.subarray(from, to));
    };
  });
  const strengthPairs: readonly (readonly [EnhancementStrength, EnhancementStrength])[] = [
    ['off', 'strong'],
    ['gentle', 'off'],
    ['strong', 'strong'],
  ];
  for (const [noise, level] of strengthPairs)
    cost(`and noise ${noise}, level ${level}`, block, () => {
      const enhancement = new CaptureEnhancement(() => ({ noise, level }));
      return (from, to) => {
        enhancement.process(microphone.slice(from, to));
      };
    });
  const pipelines = await Promise.all([1, 2, 3, 4].map(() => openPipeline(played)));
  cost('all of it, with reference', block, () => {
    const push = pipelines.pop();
    return (from, to) => push?.(microphone.slice(from, to), from);
  });
}

/** The whole capture pipeline, with a speaker reference that is read 20 ms ahead. */
async function openPipeline(
  played: Float32Array,
): Promise<(part: Float32Array, from: number) => void> {
  const speaker = resample(played, inputRate, outputRate);
  const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
  const echo = new EchoCancellation({
    open: () => new AdaptiveCanceller(),
    farEnd: {
      speaker: undefined,
      fill: (into, from, stepMs) => {
        reference.fill(into, from, stepMs);
      },
    },
    log: new FakeLog(),
    isEnabled: () => true,
  });
  const pipeline = new CapturePipeline(
    { pushAudio: () => undefined },
    { gain: () => 1, onLevel: () => undefined },
    echo,
    new CaptureEnhancement(() => ({ noise: 'strong', level: 'strong' })),
  );
  pipeline.begin(undefined);
  // Lets the canceller load.
  await Promise.resolve();
  if (pipeline.echo === 'off') throw new Error('The echo canceller has not been loaded.');
  return (part, from) => {
    const at = ((from + 2 * block) * outputRate) / inputRate;
    const heardAt = ((from + 2 * block) * 1000) / inputRate;
    reference.played(speaker.subarray(at, at + outputRate / 50), at, heardAt);
    pipeline.push(part, (from * 1000) / inputRate);
  };
}

interface RecordingsOptions {
  readonly recordings: string;
  /** The ONNX file of Silero VAD v5. */
  readonly silero?: string | undefined;
  readonly json?: string | undefined;
  /** Number of voices, evenly chosen; all of them take a quarter of an hour with Silero. */
  readonly voices?: number | undefined;
}

/** Judges every detector on the same recordings, and prints the results or also writes them to a file. */
function judgeRecordings({ recordings, silero, json, voices }: RecordingsOptions): void {
  const read = readRecordings(recordings, voices);
  printLine(
    `${read.clips.length} voices; % of 10 ms steps ranked correctly, at ${snrs.join(', ')} dB`,
  );
  const stats = detectors(silero).map((detector) => {
    const made = judgeDetector(detector, read);
    printDetector(made);
    return made;
  });
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(stats, undefined, 2)}\n`);
}

function printDetector({
  name,
  ranked,
  rankedQuiet,
  rankedMean,
  noiseAlone,
  ...rest
}: DetectorStats): void {
  const rows = noiseClasses.map(
    (kind) => `${kind} ${ranked[kind].map((one) => one.toFixed(1)).join(' ')}`,
  );
  printLine(
    `${name}: ${rankedMean.toFixed(1)} mean; quiet ${rankedQuiet.toFixed(1)}; ${rows.join('; ')}`,
  );
  const { onset, percentOfCore } = rest;
  const alone = Object.entries(noiseAlone).map(([kind, share]) => `${kind} ${share.toFixed(1)} %`);
  if (alone.length > 0)
    printLine(
      `  noise alone detected as a voice: ${alone.join(', ')}; ` +
        `onset median ${onset.median} ms, p95 ${onset.p95} ms (${onset.missed} missed)`,
    );
  printLine(`  ${percentOfCore.toFixed(2)} % of a core`);
}
