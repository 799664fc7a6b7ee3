import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { levelDb } from '../../electron/audio/dsp/loudness.ts';
import { removeEchoFromRecording } from '../../electron/audio/echo/echo-recording.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { readSound } from './recordings/read-recordings.ts';
import { printLine } from './bench-helpers.ts';

/** Extra delays, in milliseconds, of an echo relative to the device's time stamps. */
const lates = [0, 50, 100, 200, 400];
/** The canceller has converged when it attenuates half a second of echo by more than this. */
const foundDb = 10;

const usage = `npm run bench -- echo --recordings DATA --outputs OUT
  DATA  NAME_mic.flac and NAME_lpb.flac, or .wav: a microphone, and what was played beside it
  OUT   NAME.wav is what the canceller leaves; late-N/NAME.wav with the microphone N ms later`;

/** Sends recordings of real rooms through the product's canceller, for an external judge. */
export async function bench(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { recordings: { type: 'string' }, outputs: { type: 'string' } },
  });
  const { recordings, outputs } = values;
  if (recordings === undefined || outputs === undefined) throw new Error(`Usage: ${usage}`);
  const microphones = readdirSync(recordings)
    .filter((file) => /_mic\.(?:flac|wav)$/u.test(file))
    .toSorted((one, other) => one.localeCompare(other));
  if (microphones.length === 0)
    throw new Error(`${recordings} contains no NAME_mic.flac or NAME_mic.wav.`);
  let spentMs = 0;
  let heardMs = 0;
  for (const file of microphones) {
    const name = file.replace(/_mic\.\w+$/u, '');
    const microphone = readSound(join(recordings, file));
    const played = readSound(join(recordings, file.replace(/_mic(?=\.\w+$)/u, '_lpb')));
    const found: string[] = [];
    for (const late of lates) {
      const waits = (late * inputRate) / 1000;
      const heard = new Float32Array(waits + microphone.length);
      heard.set(microphone, waits);
      const before = process.cpuUsage();
      const left = await removeEchoFromRecording({ microphone: heard, played });
      const { user, system } = process.cpuUsage(before);
      spentMs += (user + system) / 1000;
      heardMs += (heard.length * 1000) / inputRate;
      const folder = late === 0 ? outputs : join(outputs, `late-${late}`);
      mkdirSync(folder, { recursive: true });
      const wav = encodeWav(left.subarray(waits), {
        rate: inputRate,
        channels: 1,
        coding: 'pcm16',
      });
      writeFileSync(join(folder, `${name}.wav`), wav);
      found.push(`${late} ms: ${secondsUntilFound(heard, left, played)}`);
    }
    printLine(
      `${name}: echo ${foundDb} dB down after, with the microphone late by ${found.join(', ')}`,
    );
  }
  printLine(`CPU: ${((100 * spentMs) / heardMs).toFixed(2)} % of a core`);
}

/** Seconds of played sound until half a second of echo is attenuated by `foundDb`, as text. */
function secondsUntilFound(
  microphone: Float32Array,
  left: Float32Array,
  played: Float32Array,
): string {
  const half = inputRate / 2;
  let sounded = 0;
  for (let from = 0; from + half <= left.length; from += half) {
    const isPlayed = levelDb(played.subarray(from, from + half)) > -45;
    if (isPlayed) sounded += 0.5;
    const fall =
      levelDb(microphone.subarray(from, from + half)) - levelDb(left.subarray(from, from + half));
    if (isPlayed && fall > foundDb) return `${sounded.toFixed(1)} s`;
  }
  return 'never';
}
