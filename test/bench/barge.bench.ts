import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bargeCases, bargeScene } from './barge/barge-scenes.ts';
import { judgeScene, formatTable } from './barge/judge-scene.ts';
import type { JudgedInterjection } from './barge/judge-scene.ts';
import { SpeechTrainer } from './barge/train-speech.ts';
import { minExplainedDb, readRooms, type Room } from './barge/rooms.ts';
import { runScene } from './barge/run-scene.ts';
import { simulatedRooms } from './barge/simulated-rooms.ts';
import { readRecordings } from './recordings/recorded-scenes.ts';
import { printLine } from './bench-helpers.ts';

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
