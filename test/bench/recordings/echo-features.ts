import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyHalfSpectrum, powerSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { echoBlockSamples } from '../../../electron/audio/echo/echo-canceller.ts';
import { echoFftSize } from '../../../electron/audio/echo/echo-filter.ts';
import { echoBands, echoFeatures, toBands } from '../../../electron/audio/echo/echo-suppressor.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

const block = echoBlockSamples;
const minPower = 1e-7;
const rowLength = echoFeatures + 2 * echoBands;
const fft = new RealFft(echoFftSize);
const spectrum = emptyHalfSpectrum(echoFftSize);
const work = new Float32Array(echoFftSize);
const power = new Float32Array(echoFftSize / 2 + 1);

/**
 * Sends each talk of a folder (four sounds: microphone, loudspeaker, the user's part, the room's part) through the
 * canceller's filter. Writes the network's inputs with the user's and the room's parts, per step. Deletes each talk,
 * because it is over five times as large as its features. Returns the number of steps.
 */
export function writeEchoFeatures(from: string, to: string): number {
  mkdirSync(to, { recursive: true });
  let steps = 0;
  for (const name of readdirSync(from).filter((file) => file.endsWith('.f32'))) {
    const rows = featuresOf(readTalk(join(from, name)));
    const bits = new Uint32Array(rows.buffer, 0, rows.length);
    // The upper 16 bits of each float are precise enough.
    const halves = Uint16Array.from(bits, (number) => (number + 0x80_00) >>> 16);
    writeFileSync(join(to, name.replace('.f32', '.features')), halves);
    rmSync(join(from, name));
    steps += rows.length / rowLength;
  }
  return steps;
}

interface Talk {
  readonly microphone: Float32Array;
  readonly played: Float32Array;
  readonly person: Float32Array;
  readonly noise: Float32Array;
}

function readTalk(path: string): Talk {
  const bytes = readFileSync(path);
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const count = all.length / 4;
  const part = (n: number): Float32Array => all.subarray(n * count, (n + 1) * count);
  return { microphone: part(0), played: part(1), person: part(2), noise: part(3) };
}

function featuresOf({ microphone, played, person, noise }: Talk): Float32Array {
  const rows = new Float32Array((microphone.length / block) * rowLength);
  let row = 0;
  let at = 0;
  const canceller = new AdaptiveCanceller(() => ({
    gains: new Float32Array(echoBands).fill(1),
    presence: 0,
    judge: (features) => {
      rows.set(features, row * rowLength);
      writeBands(person, at, rows, row * rowLength + echoFeatures);
      writeBands(noise, at, rows, row * rowLength + echoFeatures + echoBands);
      row += 1;
    },
  }));
  const reference = new Float32Array(block);
  for (; at + block <= microphone.length; at += block) {
    const begin = at + Math.round((canceller.leadMs * inputRate) / 1000);
    for (let n = 0; n < block; n += 1) reference[n] = played[begin + n] ?? 0;
    canceller.process(microphone.subarray(at, at + block), reference);
  }
  return rows.subarray(0, row * rowLength);
}

/** Writes the log power of each band, with the canceller's analysis window. */
function writeBands(sound: Float32Array, at: number, into: Float32Array, place: number): void {
  work.fill(0);
  for (let n = 0; n < 2 * block; n += 1)
    work[n] = (sound[at - block + n] ?? 0) * Math.sin((Math.PI * (n + 0.5)) / (2 * block));
  fft.forward(work, spectrum);
  powerSpectrum(spectrum, power);
  toBands(power, into, place);
  for (let n = place; n < place + echoBands; n += 1)
    into[n] = Math.log10((into[n] ?? 0) + minPower);
}
