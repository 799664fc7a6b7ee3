import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Regenerates resources/speech. The product only reads the result.

/**
 * Sentences that the demonstration speaks. The embedded gateway and the room test refer to these ids. Each sentence is true
 * of a gateway that measures loudness and understands no words.
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

const voice = 'slt';
/** Seconds of silence around a sentence. */
const leadIn = 0.04;
const leadOut = 0.12;

/**
 * @typedef {{ readonly name: string, readonly end: number }} Phone a speech sound; `end` in seconds
 * @typedef {{ readonly text: string, readonly start: number, readonly end: number }} Word
 */

/**
 * Finds when each word of a sentence starts and ends. Flite gives the time of each phone, but not its word. The phone
 * counts of the sentence's prefixes show how many phones each word has.
 * @param {string} text
 * @returns {Promise<Word[]>}
 */
const wordTimes = async (text) => {
  const all = await getPhones(text);
  const sounding = all
    .map(({ name, end }, at) => ({ name, start: all[at - 1]?.end ?? 0, end }))
    .filter(({ name }) => name !== 'pau');
  const words = text.split(' ');
  /** @type {Word[]} */
  const timed = [];
  let phoneCount = 0;
  for (let at = 0; at < words.length; at += 1) {
    const prefix = await getPhones(words.slice(0, at + 1).join(' '));
    const prefixCount = prefix.filter(({ name }) => name !== 'pau').length;
    const first = sounding[phoneCount];
    const last = sounding[prefixCount - 1];
    const word = words[at];
    if (
      first === undefined ||
      last === undefined ||
      word === undefined ||
      prefixCount <= phoneCount
    ) {
      throw new Error(`The phones of "${text}" cannot be told apart at word ${at + 1}`);
    }
    timed.push({ text: word, start: first.start, end: last.end });
    phoneCount = prefixCount;
  }
  if (phoneCount !== sounding.length)
    throw new Error(`Not all phones of "${text}" belong to a word`);
  return timed;
};

/** Samples on each side of the wanted position that the resampler weights. */
const taps = 24;

/**
 * @param {Buffer} file a 16-bit mono WAV file from flite
 * @returns {{ rate: number, samples: Float32Array }}
 */
const readPcm = (file) => {
  const data = file.indexOf('data', 12, 'latin1');
  const samples = new Float32Array(Math.floor((file.length - data - 8) / 2));
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = file.readInt16LE(data + 8 + at * 2) / 32_768;
  }
  return { rate: file.readUInt32LE(24), samples };
};

/**
 * Resamples with a windowed sinc.
 * @param {Float32Array} samples
 * @returns {Float32Array}
 */
const resample16To24Khz = (samples) => {
  const resampled = new Float32Array(Math.floor((samples.length * 3) / 2));
  for (let at = 0; at < resampled.length; at += 1) {
    const centre = (at * 2) / 3;
    let sum = 0;
    for (let tap = Math.ceil(centre - taps); tap <= centre + taps; tap += 1) {
      const distance = tap - centre;
      const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (taps + 1));
      sum += (samples[tap] ?? 0) * sinc * window;
    }
    resampled[at] = sum;
  }
  return resampled;
};

/**
 * @param {Float32Array} samples
 * @param {number} rate
 * @returns {Buffer} a 16-bit mono WAV file
 */
const encodeWav = (samples, rate) => {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  for (const [at, sample] of samples.entries()) {
    const clipped = Math.max(-1, Math.min(1, sample));
    file.writeInt16LE(Math.round(clipped * 32_767), 44 + at * 2);
  }
  return file;
};

/**
 * @param {string[]} args
 * @returns {Promise<string>} flite's output
 */
const flite = async (args) => {
  const { code, output } = await run('flite', ['-voice', voice, ...args]);
  if (code === 0) return output;
  throw new Stop(
    'flite could not be run. Install it (Debian: apt-get install flite) and try again.',
  );
};

/**
 * @param {string} text
 * @returns {Promise<Phone[]>}
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
  const words = await wordTimes(text);
  const { rate, samples } = readPcm(await readFile(raw));
  if (rate !== 16_000)
    throw new Stop(
      `flite's voice ${voice} has a rate of ${rate} Hz, not 16000 Hz. Install the original flite.`,
    );
  const from = Math.max(0, (words[0]?.start ?? 0) - leadIn);
  const to = Math.min(samples.length / rate, (words.at(-1)?.end ?? 0) + leadOut);
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
