import type { Outcome } from '../../../shared/errors/app-error.ts';
import {
  type Files,
  type FileWriter,
  readNow,
  writeFile,
  writeWhole,
} from '../../../shared/ports/files.ts';
import type { Frames } from '../../../shared/ports/pictures.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { headerForTape } from '../record/tape-line-writer.ts';
import { checkTape, type TapeHealth } from '../tape/check-tape.ts';
import { type InspectedTape, inspectTape } from '../tape/inspect-tape.ts';
import { copyName, copySound, playedSoundNames } from '../tape/sound-writer.ts';
import { missingPicture } from '../tape/tape-media.ts';
import type { TapeSound } from '../tape/tape-sound.ts';
import { tapeFiles, type TapeHeader, tapeLimits } from '../tape/tape.ts';
import { maskedText, ValueRedactor } from './redact-values.ts';

export interface RedactDeps {
  readonly files: Files;
  readonly base64: Base64;
  readonly frames: Frames;
  /** As a person calls it, where that is not its folder. */
  readonly called?: string | undefined;
}

type Done = Outcome<undefined>;

/**
 * Makes a tape that replays as another one did, with nothing in it that was said, shown or named: for a report. What the old
 * one has beyond its damage is left out.
 */
export async function redactTape(
  folder: string,
  into: string,
  deps: RedactDeps,
): Promise<Outcome<TapeHealth>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const made = await deps.files.createFolder(into);
  const written = made.ok ? await writeTape(folder, into, inspected.value, deps) : made;
  for (const sound of inspected.value.sounds.values()) sound.close();
  return written.ok ? checkTape(into, { files: deps.files }) : written;
}

async function writeTape(
  folder: string,
  into: string,
  tape: InspectedTape,
  deps: RedactDeps,
): Promise<Done> {
  const names = new MediaNames(tape.sounds);
  const redactor = new ValueRedactor((reference) => names.rename(reference));
  const lines = tape.lines.map(({ line }) => {
    const { at, connection = 1 } = line;
    const head = connection === 1 ? { at } : { at, connection };
    if ('frame' in line) return { ...head, dir: line.dir, frame: redactor.object(line.frame) };
    if (line.dir === 'end') return { ...head, dir: line.dir, end: redactor.object(line.end) };
    if (line.dir === 'event') return { ...head, dir: line.dir, event: redactor.object(line.event) };
    if (line.dir === 'open') return { ...head, dir: line.dir };
    const text = line.text === undefined ? {} : { text: redactor.text(line.text) };
    return { ...head, dir: line.dir, ...text };
  });
  let seed = 1;
  for (const [name, sound] of tape.sounds) {
    seed += 1;
    const written = await writeFile(deps.files, `${into}/${names.sound(name)}`, (file) =>
      writeNoise(sound, file, seed * 7919),
    );
    if (!written.ok) return written;
  }
  for (const [original, name] of names.files) {
    const bytes = await standInFor(`${folder}/${original}`, name, deps);
    const written = await writeWhole(deps.files, `${into}/${name}`, bytes);
    if (!written.ok) return written;
  }
  // Last: a folder without it is no tape.
  return writeFile(deps.files, `${into}/${tapeFiles.lines}`, async (file) => {
    for (const line of [redactedHeader(tape.header), ...lines])
      file.append(`${JSON.stringify(line)}\n`);
    return file.resume();
  });
}

/** The names that media have on the redacted tape: those of the old one may say something. */
class MediaNames {
  readonly files = new Map<string, string>();
  readonly #sounds = new Map<string, string>();
  readonly #taped: ReadonlyMap<string, TapeSound>;

  constructor(sounds: ReadonlyMap<string, TapeSound>) {
    this.#taped = sounds;
  }

  rename(reference: JsonObject): JsonObject {
    const { $sound: sound, $file: file, from = 0, samples = 0 } = reference;
    if (typeof file === 'string') return { $file: this.#file(file) };
    return { $sound: this.sound(typeof sound === 'string' ? sound : ''), from, samples };
  }

  sound(name: string): string {
    if (playedSoundNames.includes(name)) return copyName(name, this.#taped);
    const known = this.#sounds.get(name) ?? `sound-${this.#sounds.size + 1}.wav`;
    this.#sounds.set(name, known);
    return known;
  }

  #file(name: string): string {
    const number = String(this.files.size + 1).padStart(4, '0');
    const picture = /^frame-.*\.(?:jpg|png|bin)$/u.test(name);
    const known = this.files.get(name) ?? (picture ? `frame-${number}.jpg` : `voice-${number}.bin`);
    this.files.set(name, known);
    return known;
  }
}

function redactedHeader(header: TapeHeader): TapeHeader {
  const { settings, endpoint } = header;
  const { instructions, ...others } = settings;
  const masked = instructions === undefined ? {} : { instructions: maskedText(instructions) };
  const known = endpoint.startsWith('parley:') ? endpoint : fakeEndpoint(endpoint);
  const { generation, maxSlices } = others;
  return headerForTape({
    ...header,
    settings: { ...masked, generation, maxSlices },
    endpoint: known,
  });
}

function fakeEndpoint(endpoint: string): string {
  const [scheme = ''] = /^wss?:\/\//u.exec(endpoint) ?? ['wss://'];
  return endpoint === '' ? '' : `${scheme}server.example/`;
}

const secondsAtOnce = 20;

function writeNoise(sound: TapeSound, file: FileWriter, seed: number): Promise<Done> {
  const noise = new NoiseLike(seed);
  const atOnce = Math.round((sound.rate * envelopeMs) / 1000) * (1000 / envelopeMs) * secondsAtOnce;
  return copySound(sound, file, atOnce, (samples) => noise.of(samples, sound.rate));
}

/** So many points across are left of a picture: its light, and nothing of what is on it. */
const pointsAcross = 6;

async function standInFor(
  path: string,
  name: string,
  { files, base64, frames }: RedactDeps,
): Promise<Uint8Array> {
  const read = readNow(files, path, tapeLimits.frameBytes);
  const bytes = read.ok && read.value.length > 0 ? read.value : undefined;
  if (!name.startsWith('frame-')) return silentVoice(bytes);
  const blurred = bytes === undefined ? undefined : await blurredPicture(bytes, frames);
  return blurred ?? base64.decode(missingPicture) ?? new Uint8Array();
}

async function blurredPicture(jpeg: Uint8Array, frames: Frames): Promise<Uint8Array | undefined> {
  let size = { width: pointsAcross, height: pointsAcross };
  const small = await frames.prepare(jpeg, (upright) => {
    size = upright;
    const height = Math.max(1, Math.round((pointsAcross * upright.height) / upright.width));
    return { crop: undefined, width: pointsAcross, height: Math.min(height, pointsAcross) };
  });
  if (!small.ok) return undefined;
  const { width, height } = size;
  const large = await frames.prepare(small.value.jpeg, () => ({ crop: undefined, width, height }));
  return large.ok ? large.value.jpeg : undefined;
}

/** A reference voice is somebody's: a faint hum of the same length stands for it. */
function silentVoice(bytes: Uint8Array | undefined): Uint8Array {
  const samples = Math.max(1, Math.floor((bytes?.length ?? 4) / 4));
  const hum = new Float32Array(samples).fill(0.01);
  return new Uint8Array(new NoiseLike(3).of(hum, 16_000).buffer);
}

/** So finely captions and yielding look at sound, and no finer: pitch and what makes a voice known are gone. */
const envelopeMs = 10;

/** Noise that is as loud as a sound, stretch by stretch, and has nothing else of it. The same each time. */
class NoiseLike {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** @param rate samples a second; the sound begins where a stretch begins */
  of(sound: Float32Array, rate: number): Float32Array {
    const length = Math.max(1, Math.round((rate * envelopeMs) / 1000));
    const noise = new Float32Array(sound.length);
    for (let from = 0; from < sound.length; from += length) {
      const stretch = noise.subarray(from, from + length);
      const level = levelOf(sound.subarray(from, from + length));
      if (level === 0) continue;
      for (let n = 0; n < stretch.length; n += 1) stretch[n] = this.#next();
      const factor = level / (levelOf(stretch) || 1);
      for (let n = 0; n < stretch.length; n += 1) stretch[n] = (stretch[n] ?? 0) * factor;
    }
    return noise;
  }

  #next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state / 2 ** 31;
  }
}

/** RMS; what is no number is silent. */
function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) if (Math.abs(sample) < 1e6) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}
