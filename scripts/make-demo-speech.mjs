import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { readPcm, resample16To24Khz, encodeWav } from './lib/speech-wav.mjs';
import { Stop } from './lib/stop.mjs';
import { wordTimes } from './lib/word-times.mjs';

// Regenerates resources/speech. The product only reads the result.

/**
 * Sentences that the demonstration speaks. The embedded gateway's repertoire refers to these ids. Each sentence is true of
 * a gateway that measures loudness and understands no words.
 */
const sentences = [
  { id: 'hello', text: 'Hello, I am the demonstration that lives inside Parley.' },
  { id: 'hear', text: 'I can hear you, but I do not understand words.' },
  { id: 'recorded', text: 'Everything I say was recorded beforehand.' },
  { id: 'connect', text: 'Connect Parley to a real server for a true conversation.' },
  { id: 'sorry', text: 'Sorry, go on.' },
  { id: 'see', text: 'I can see your picture.' },
  { id: 'again', text: 'There you are again.' },
  { id: 'interrupt', text: 'You may interrupt me at any time, and I will stop.' },
  { id: 'turns', text: 'You spoke, then you were quiet, so now it is my turn.' },
  { id: 'loudness', text: 'I notice by loudness alone when you begin and when you stop.' },
  { id: 'only', text: 'I am only a demonstration.' },
  { id: 'written', text: 'My answer is written in the text.' },
];

const VOICE = 'slt';
/** Seconds of silence around a sentence. */
const LEAD_IN = 0.04;
const LEAD_OUT = 0.12;

/**
 * @param {string[]} args
 * @returns {Promise<string>} flite's output
 */
const flite = async (args) => {
  const { code, output } = await run('flite', ['-voice', VOICE, ...args]);
  if (code === 0) return output;
  throw new Stop(
    'flite could not be run. Install it (Debian: apt-get install flite) and try again.',
    1,
  );
};

/**
 * @param {string} text
 * @returns {Promise<import('./lib/word-times.mjs').Phone[]>}
 */
const getPhones = async (text) => {
  const printed = await flite(['-psdur', '-t', text, '-o', 'none']);
  return printed
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = '', end = ''] = entry.split(':');
      return { name, end: Number(end) };
    });
};

/**
 * @param {{ id: string, text: string }} sentence
 * @param {string} folder for the raw sound
 */
const makeClip = async ({ id, text }, folder) => {
  const raw = join(folder, `${id}.wav`);
  await flite(['-t', text, '-o', raw]);
  const words = await wordTimes(text, getPhones);
  const { rate, samples } = readPcm(await readFile(raw));
  if (rate !== 16_000)
    throw new Stop(
      `flite's voice ${VOICE} has a rate of ${rate} Hz, not 16000 Hz. Install the original flite.`,
      1,
    );
  const from = Math.max(0, (words[0]?.start ?? 0) - LEAD_IN);
  const to = Math.min(samples.length / rate, (words.at(-1)?.end ?? 0) + LEAD_OUT);
  const trimmed = samples.subarray(Math.round(from * rate), Math.round(to * rate));
  const file = `${id}.wav`;
  await writeFile(
    inRoot('resources', 'speech', file),
    encodeWav(resample16To24Khz(trimmed), 24_000),
  );
  const round = (/** @type {number} */ seconds) => Math.round((seconds - from) * 1000) / 1000;
  return {
    id,
    text,
    words: words.map(({ text, start, end }) => ({ text, start: round(start), end: round(end) })),
    file,
  };
};

await main(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-speech-'));
  try {
    const clips = [];
    for (const sentence of sentences) clips.push(await makeClip(sentence, folder));
    const index = `${JSON.stringify({ clips }, undefined, 2)}\n`;
    await writeFile(inRoot('resources', 'speech', 'index.json'), index);
    say(`Made ${clips.length} clips in resources/speech.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
