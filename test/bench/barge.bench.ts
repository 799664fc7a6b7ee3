import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bargeCases, bargeScene, type BargeScene } from './barge/barge-scenes.ts';
import { judgeScene, formatTable, runScene, type JudgedInterjection } from './barge/run-scene.ts';
import { minExplainedDb, readRooms, simulatedRooms, type Room } from './barge/rooms.ts';
import { readRecordings } from './recordings/read-recordings.ts';
import { printLine } from './bench-helpers.ts';
import {
  BargeInDetector,
  defaultBargeInOptions,
  SpeechOverAnswer,
} from '../../electron/audio/detection/barge-in.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';

const usage = `npm run bench -- barge --recordings DIR [--rooms DATA] [--json F] [--scenes N] [--seed S]
  DIR   the recordings of scripts/fetch-recordings.sh
  DATA  NAME_mic.flac and NAME_lpb.flac, or .wav: microphones, and what was played beside them; simulated rooms without it
npm run bench -- barge --learn DIR [--scenes N] [--seed S]
  prints the weights and the bias of electron/audio/detection/barge-in.ts.
  DIR   the sounds of scripts/learn-voices/fetch-sounds.sh`;

/** Sounds in the training folder that are neither speech nor noise. */
const notSpeech = /hmm|uh-oh|huh|cough|laugh/iu;

/** Plays speech, noises and back-channels over answers, with echo of recorded rooms. Counts missed interrupts and false cuts. */
export async function bench(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { recordings: text, rooms: text, learn: text, json: text, scenes: text, seed: text },
  });
  const { recordings, rooms: data, json, scenes = '100', seed = '1' } = values;
  if (values.learn !== undefined) return learn(values.learn, Number(scenes), Number(seed));
  if (recordings === undefined) throw new Error(`Usage: ${usage}`);
  const rooms = data === undefined ? simulatedRooms(Number(seed)) : recordedRooms(data);
  const cases = bargeCases(recordings, readRecordings(recordings));
  const { person, noise, backChannel } = cases.sounds;
  printLine(`${person.length} people, ${noise.length} noises, ${backChannel.length} back-channels`);
  const judged: JudgedInterjection[] = [];
  for (let at = 0; at < Number(scenes); at += 1) {
    const scene = bargeScene(cases, rooms, 1e5 * Number(seed) + at);
    judged.push(...judgeScene(scene, await runScene(scene)));
  }
  for (const line of formatTable(judged)) printLine(line);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(judged, undefined, 1)}\n`);
}

function recordedRooms(folder: string): readonly Room[] {
  const all = readRooms(folder);
  for (const { name, path, drive } of all) {
    const what = `${name}: ${(path.delay / 16).toFixed(0)} ms late, ${path.explainedDb.toFixed(1)} dB explained`;
    printLine(
      path.explainedDb < minExplainedDb
        ? `${what}: left out`
        : `${what}, drive ${drive.toFixed(2)}`,
    );
  }
  return all.filter(({ path }) => path.explainedDb >= minExplainedDb);
}

async function learn(folder: string, scenes: number, seed: number): Promise<void> {
  const { clips, noises } = readRecordings(folder);
  const words = clips.filter(({ name }) => !notSpeech.test(name));
  const cases = bargeCases(folder, { clips: words, noises });
  const rooms = simulatedRooms(seed);
  const trainer = new SpeechTrainer();
  for (let at = 0; at < scenes; at += 1)
    await trainer.add(bargeScene(cases, rooms, 1e5 * seed + at));
  printLine(trainer.train().join(', '));
}

/** Weight of a block with a noise; one with echo alone has 1. A dog may lower the answer for a moment, echo should not. */
const otherSoundWeight = 0.3;
/** The total weight of blocks with a person, as a share of the number of blocks without one. */
const personShare = 0.13;
/** The networks take this long to notice a person. */
const onsetSamples = 0.1 * inputRate;
/** After a person stops, their sound stays this long in the room and in the detector's averages. */
const decaySamples = 0.4 * inputRate;
const iterations = 40;

interface Sample {
  readonly inputs: Float64Array;
  readonly isPerson: boolean;
  readonly weight: number;
}

/** Trains the barge-in detector: collects labelled blocks during answers, and leaves out those at the edges of speech
 * and with back-channels. */
export class SpeechTrainer {
  readonly #samples: Sample[] = [];

  async add(scene: BargeScene): Promise<void> {
    const detector = new RecordingDetector((at, inputs) => {
      const isAnswering = scene.answers.some(([begins, ends]) => at > begins && at <= ends);
      const label = isAnswering ? labelled(scene, at) : undefined;
      if (label !== undefined) this.#samples.push({ inputs: inputs.slice(), ...label });
    });
    await runScene(scene, new BargeInDetector(defaultBargeInOptions, detector));
  }

  /** Logistic regression by Newton's method; the last value is the bias. */
  train(): readonly number[] {
    const count = (isPerson: boolean): number =>
      this.#samples.filter((sample) => sample.isPerson === isPerson).length;
    const person = (personShare * count(false)) / Math.max(1, count(true));
    const size = 1 + (this.#samples[0]?.inputs.length ?? 0);
    const theta = new Float64Array(size);
    for (let round = 0; round < iterations; round += 1) {
      const gradient = new Float64Array(size);
      const curvature = Array.from({ length: size }, () => new Float64Array(size));
      for (const { inputs, isPerson, weight } of this.#samples) {
        const one = (n: number): number => (n === inputs.length ? 1 : (inputs[n] ?? 0));
        let odds = 0;
        for (let n = 0; n < size; n += 1) odds += (theta[n] ?? 0) * one(n);
        const likely = 1 / (1 + Math.exp(-odds));
        const share = isPerson ? weight * person : weight;
        const step = share * (likely - (isPerson ? 1 : 0));
        const bend = share * likely * (1 - likely);
        for (let n = 0; n < size; n += 1) {
          gradient[n] = (gradient[n] ?? 0) + step * one(n);
          const row = curvature[n];
          if (row === undefined) continue;
          for (let k = 0; k < size; k += 1) row[k] = (row[k] ?? 0) + bend * one(n) * one(k);
        }
      }
      solve(curvature, gradient).forEach((change, n) => (theta[n] = (theta[n] ?? 0) - change));
    }
    return [...theta].map((value) => Math.round(100 * value) / 100);
  }
}

class RecordingDetector extends SpeechOverAnswer {
  readonly #onBlock: (at: number, inputs: Float64Array) => void;
  #at = 0;

  constructor(onBlock: (at: number, inputs: Float64Array) => void) {
    super();
    this.#onBlock = onBlock;
  }

  override push(likelihood: number, presence: number, ms: number): number {
    const odds = super.push(likelihood, presence, ms);
    this.#at += (ms * inputRate) / 1000;
    this.#onBlock(this.#at, this.inputs);
    return odds;
  }
}

function labelled(
  { interjections }: BargeScene,
  at: number,
): Pick<Sample, 'isPerson' | 'weight'> | undefined {
  const over = interjections.find(({ from, to }) => at > from && at <= to + decaySamples);
  if (over === undefined || over.kind === 'nothing') return { isPerson: false, weight: 1 };
  if (over.kind === 'noise') return { isPerson: false, weight: otherSoundWeight };
  if (over.kind === 'backChannel' || at <= over.from + onsetSamples || at > over.to)
    return undefined;
  return { isPerson: true, weight: 1 };
}

/** Solves `matrix · x = right` by Gaussian elimination; the matrix is positive definite. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  for (let n = 0; n < right.length; n += 1) {
    const row = matrix[n];
    for (let below = n + 1; below < right.length; below += 1) {
      const other = matrix[below];
      if (row === undefined || other === undefined) continue;
      const share = (other[n] ?? 0) / (row[n] ?? 1);
      for (let k = n; k < right.length; k += 1) other[k] = (other[k] ?? 0) - share * (row[k] ?? 0);
      right[below] = (right[below] ?? 0) - share * (right[n] ?? 0);
    }
  }
  for (let n = right.length - 1; n >= 0; n -= 1) {
    const row = matrix[n];
    let rest = right[n] ?? 0;
    for (let k = n + 1; k < right.length; k += 1) rest -= (row?.[k] ?? 0) * (right[k] ?? 0);
    right[n] = rest / (row?.[n] ?? 1);
  }
  return right;
}
