import { VoiceModel } from '../../../electron/audio/detection/voice-model.ts';
import { levelDb } from '../../../electron/audio/dsp/loudness.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { areaUnderRoc } from '../../fakes/spoken-scene.ts';
import { type NoiseClass, type Recordings, step, withNoise } from './recorded-scenes.ts';
import { Silero, sileroChunk } from './silero.ts';

/** Takes steps of 10 ms in order, and returns the current likelihood of speech. */
type Detect = (step: Float32Array) => number;

export interface Detector {
  readonly name: string;
  readonly open: () => Detect;
  /** Likelihood above which a step counts as speech; undefined for a level. */
  readonly threshold?: number | undefined;
}

/** A detector's results: shares and ranks in percent, times in milliseconds. */
export interface DetectorStats {
  readonly name: string;
  /** Percent of pairs of a speech and a noise step that it ranks correctly, at 20, 10, 5 and 0 dB above the noise. */
  readonly ranked: Readonly<Record<NoiseClass, readonly number[]>>;
  readonly rankedQuiet: number;
  readonly rankedMean: number;
  /** Percent of noise-only steps that it takes for speech. */
  readonly noiseAlone: Readonly<Partial<Record<NoiseClass, number>>>;
  readonly onset: { readonly median: number; readonly p95: number; readonly missed: number };
  readonly percentOfCore: number;
}

export const snrs = [20, 10, 5, 0] as const;
const stepMs = (1000 * step) / inputRate;

/** The product's detector and those to compare with. */
export function detectors(sileroFile: string | undefined): readonly Detector[] {
  const own: Detector = {
    name: 'Parley',
    // As in voice-detector.ts.
    threshold: 0.7,
    open: () => {
      const model = new VoiceModel();
      return (part) => {
        model.push(part);
        return model.likelihood;
      };
    },
  };
  const level: Detector = { name: 'level', open: () => (part) => levelDb(part) };
  if (sileroFile === undefined) return [own, level];
  const silero: Detector = { name: 'Silero v5', threshold: 0.5, open: () => inChunks(sileroFile) };
  return [own, silero, level];
}

/** Silero judges a chunk after its end. */
function inChunks(file: string): Detect {
  const silero = new Silero(file);
  const chunk = new Float32Array(sileroChunk);
  let filled = 0;
  let likelihood = 0;
  return (part) => {
    for (const sample of part) {
      chunk[filled] = sample;
      filled += 1;
      if (filled < sileroChunk) continue;
      filled = 0;
      likelihood = silero.push(chunk);
    }
    return likelihood;
  };
}

export function judgeDetector(detector: Detector, { clips, noises }: Recordings): DetectorStats {
  const before = process.cpuUsage();
  let samples = 0;
  const run = (sound: Float32Array): readonly number[] => {
    samples += sound.length;
    const detect = detector.open();
    const count = Math.floor(sound.length / step);
    return Array.from({ length: count }, (_, at) =>
      detect(sound.subarray(at * step, (at + 1) * step)),
    );
  };
  const ranking = (make: (clip: Recordings['clips'][number]) => Float32Array): number => {
    const said: number[] = [];
    const speaks: boolean[] = [];
    for (const clip of clips) {
      const scores = run(make(clip));
      for (const [at, is] of clip.speaks.entries()) {
        const score = scores[at];
        if (is === undefined || score === undefined) continue;
        said.push(score);
        speaks.push(is);
      }
    }
    return 100 * areaUnderRoc(said, speaks);
  };
  const rankedIn = (kind: NoiseClass): readonly number[] => {
    // A fixed seed gives every detector the same noises.
    const random = seeded(3);
    return snrs.map((snrDb) =>
      ranking((clip) => {
        const noise = noises[kind][Math.floor(random() * noises[kind].length)];
        if (noise === undefined) throw new Error(`Unknown kind of noise: ${kind}.`);
        return withNoise(clip, noise, Math.floor(random() * noise.length), snrDb);
      }),
    );
  };
  const ranked = {
    animals: rankedIn('animals'),
    things: rankedIn('things'),
    music: rankedIn('music'),
    babble: rankedIn('babble'),
  };
  const all = Object.values(ranked).flat();
  const rankedQuiet = ranking(({ sound }) => sound);
  const { threshold } = detector;
  const stats = {
    name: detector.name,
    ranked,
    rankedQuiet,
    rankedMean: all.reduce((sum, one) => sum + one, 0) / all.length,
    noiseAlone: threshold === undefined ? {} : aloneOver(threshold, run, noises),
    onset: onsets(threshold, run, clips),
  };
  const { user, system } = process.cpuUsage(before);
  return { ...stats, percentOfCore: (user + system) / 1e4 / (samples / inputRate) };
}

type Run = (sound: Float32Array) => readonly number[];

function aloneOver(
  threshold: number,
  run: Run,
  noises: Recordings['noises'],
): DetectorStats['noiseAlone'] {
  return Object.fromEntries(
    (['animals', 'things', 'music'] as const).map((kind) => {
      const scores = noises[kind].flatMap(run);
      const over = scores.filter((score) => score > threshold).length;
      return [kind, (100 * over) / scores.length];
    }),
  );
}

/** Delay from the first speech step to its detection, without noise. */
function onsets(
  threshold: number | undefined,
  run: Run,
  clips: Recordings['clips'],
): DetectorStats['onset'] {
  if (threshold === undefined) return { median: NaN, p95: NaN, missed: 0 };
  const delays = clips.map(({ sound, speaks }) => {
    const found = run(sound).findIndex((score) => score > threshold);
    return found === -1 ? Infinity : (found + 1 - speaks.indexOf(true)) * stepMs;
  });
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  const missed = delays.filter((delay) => delay === Infinity).length;
  return { median: at(0.5), p95: at(0.95), missed };
}
