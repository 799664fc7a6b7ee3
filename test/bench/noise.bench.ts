import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeWav } from '../../shared/audio/wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import {
  meanOf,
  removeDelay,
  measureDelay,
  judgeOutput,
  judgeLoudness,
  attenuatedShare,
  noiseCandidates,
  noiseScenes,
  snrs,
  type OutputQuality,
  type Loudness,
  type Candidate,
  type NoiseScene,
} from './recordings/judge-enhancement.ts';
import {
  type NoiseClass,
  noiseClasses,
  readRecordings,
  type Recordings,
} from './recordings/read-recordings.ts';
import { printLine } from './bench-helpers.ts';
import { parseArgs } from 'node:util';

const usage = `npm run bench -- noise --recordings DIR [--voices N] [--json FILE] [--others NAME=OUT]…
npm run bench -- noise --recordings DIR [--voices N] --scenes FOLDER
  DIR     speech/*.wav and noise/{animals,things,music}/*.wav
  FOLDER  where the scenes are written, for another noise reducer: OUT/NAME.wav is its output for FOLDER/NAME.wav`;

/** The product's noise reduction on recordings of speech and noise, compared with other noise reducers. */
export function bench(): void {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      recordings: { type: 'string' },
      scenes: { type: 'string' },
      others: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      voices: { type: 'string' },
    },
  });
  const { recordings, scenes, others, json } = values;
  if (recordings === undefined) throw new Error(`Usage: ${usage}`);
  const voices = values.voices === undefined ? undefined : Number(values.voices);
  if (scenes !== undefined) writeScenes(recordings, scenes, voices);
  else judgeAll({ recordings, voices, json, others });
}

interface NoiseBenchOptions {
  readonly recordings: string;
  readonly voices?: number | undefined;
  readonly json?: string | undefined;
  /** NAME=FOLDER of other noise reducers' outputs. */
  readonly others: readonly string[];
}

type AtEach = readonly number[];

/** A candidate's results in dB, at 20, 10, 5 and 0 dB above each class of noise; intelligibility times 100. */
interface NoiseStats {
  readonly name: string;
  readonly delayMs: number;
  readonly pauseReductionDb: Readonly<Record<NoiseClass, AtEach>>;
  readonly intelligibility: Readonly<Record<NoiseClass, AtEach>>;
  readonly clean: {
    readonly intelligibility: number;
    readonly levelDb: number;
    readonly attenuated: number;
  };
  readonly percentOfCore: number;
}

/** Writes all scenes as files, as input for other noise reducers. */
function writeScenes(recordings: string, folder: string, voices?: number): void {
  mkdirSync(folder, { recursive: true });
  const read = readRecordings(recordings, voices);
  const write = ({
    name,
    sound,
  }: {
    readonly name: string;
    readonly sound: Float32Array;
  }): void => {
    const wav = encodeWav(sound, { rate: inputRate, channels: 1, coding: 'float32' });
    writeFileSync(join(folder, `${name}.wav`), wav);
  };
  for (const scene of noiseScenes(read)) write(scene);
}

/** Judges noise reduction of the product and of others. */
function judgeAll({ recordings, voices, json, others }: NoiseBenchOptions): void {
  const read = readRecordings(recordings, voices);
  printLine(`${read.clips.length} voices; noise at ${snrs.join(', ')} dB`);
  const noise = noiseCandidates(others).map((candidate) => {
    const stats = judgeNoise(candidate, read);
    printNoise(stats);
    return stats;
  });
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(noise, undefined, 2)}\n`);
}

interface SceneResult {
  readonly scene: NoiseScene;
  readonly before: Loudness;
  readonly after: OutputQuality;
  readonly attenuated: number;
}

function judgeNoise({ name, apply }: Candidate, recordings: Recordings): NoiseStats {
  let delay: number | undefined;
  let [spentMs, samples] = [0, 0];
  const judged: SceneResult[] = [];
  for (const scene of noiseScenes(recordings)) {
    const { user, system } = process.cpuUsage();
    const output = apply(scene.name, scene.sound);
    const since = process.cpuUsage();
    spentMs += (since.user + since.system - user - system) / 1000;
    samples += output.length;
    delay ??= measureDelay(scene.sound, output);
    const heard = removeDelay(output, delay);
    const before = judgeLoudness(scene.clip, scene.sound);
    const after = judgeOutput(scene.clip, heard);
    judged.push({ scene, before, after, attenuated: attenuatedShare(scene.clip, heard) });
  }
  const ofEach = (value: (one: SceneResult) => number | undefined): Record<NoiseClass, AtEach> => {
    const row = (kind: NoiseClass): AtEach =>
      snrs.map((snrDb) =>
        mean(
          judged.filter(({ scene }) => scene.kind === kind && scene.snrDb === snrDb),
          value,
        ),
      );
    return {
      animals: row('animals'),
      things: row('things'),
      music: row('music'),
      babble: row('babble'),
    };
  };
  const clean = judged.filter(({ scene }) => scene.kind === 'clean');
  return {
    name,
    delayMs: ((delay ?? 0) * 1000) / inputRate,
    pauseReductionDb: ofEach(({ before, after }) => before.pausesDb - after.pausesDb),
    intelligibility: ofEach(({ after }) => hundredfold(after.intelligibility)),
    clean: {
      intelligibility: mean(clean, ({ after }) => hundredfold(after.intelligibility)),
      levelDb: mean(clean, ({ before, after }) => after.voicedDb - before.voicedDb),
      attenuated: mean(clean, (one) => one.attenuated),
    },
    percentOfCore: (100 * spentMs) / ((1000 * samples) / inputRate),
  };
}

function hundredfold(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}

/** Ignores scenes without a value. */
function mean(
  judged: readonly SceneResult[],
  value: (one: SceneResult) => number | undefined,
): number {
  return meanOf(judged.flatMap((one) => value(one) ?? []).filter((one) => Number.isFinite(one)));
}

function printNoise({ name, delayMs, clean, percentOfCore, ...rest }: NoiseStats): void {
  printLine(
    `${name}: ${delayMs.toFixed(1)} ms delay, ${percentOfCore.toFixed(2)} % of a core; clean voices ` +
      `${clean.intelligibility.toFixed(2)} intelligible, ${clean.levelDb.toFixed(2)} dB, ${clean.attenuated.toFixed(2)} % attenuated`,
  );
  const row = (what: string, each: Readonly<Record<NoiseClass, AtEach>>): void => {
    const parts = noiseClasses.map(
      (kind) => `${kind} ${each[kind].map((one) => one.toFixed(1)).join(' ')}`,
    );
    const all = meanOf(noiseClasses.flatMap((kind) => each[kind]));
    printLine(`  ${what} ${all.toFixed(2)}: ${parts.join('; ')}`);
  };
  row('pauses quieter by', rest.pauseReductionDb);
  row('intelligibility', rest.intelligibility);
}
