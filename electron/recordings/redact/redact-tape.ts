import type { Outcome } from '../../../shared/errors/app-error.ts';
import { type FileWriter, readNow, writeFile, writeContent } from '../../../shared/ports/files.ts';
import type { Frames } from '../../../shared/ports/pictures.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { headerForTape } from '../record/written-line.ts';
import {
  copyTape,
  type CopyTapeDeps,
  type InspectedTape,
  type TapeHealth,
} from '../tape/inspect-tape.ts';
import {
  copyName,
  copySound,
  playedSoundNames,
  type TapeSound,
  tapeFiles,
  type TapeHeader,
  tapeLimits,
} from '../tape/tape.ts';
import { missingPicture } from '../tape/parse-tape.ts';
import { maskText, ValueRedactor } from './redact-text.ts';

export interface RedactDeps extends CopyTapeDeps {
  readonly frames: Frames;
}

type Done = Outcome<undefined>;

/**
 * Makes a tape for a report that replays like the original, without its words, sounds, pictures and
 * names. Leaves out everything after damage.
 */
export function redactTape(
  folder: string,
  into: string,
  deps: RedactDeps,
): Promise<Outcome<TapeHealth>> {
  return copyTape(folder, into, deps, (tape) => writeTape(folder, into, tape, deps));
}

async function writeTape(
  folder: string,
  into: string,
  tape: InspectedTape,
  deps: RedactDeps,
): Promise<Done> {
  const made = await deps.files.createFolder(into);
  if (!made.ok) return made;
  const names = new MediaNames(tape.sounds);
  const redactor = new ValueRedactor((reference) => names.rename(reference));
  const lines = tape.lines.map(({ line }) => {
    const { at, connection = 1 } = line;
    const head = connection === 1 ? { at } : { at, connection };
    if ('frame' in line) return { ...head, dir: line.dir, frame: redactor.object(line.frame) };
    if (line.dir === 'end') return { ...head, dir: line.dir, end: redactor.object(line.end) };
    if (line.dir === 'event') return { ...head, dir: line.dir, event: redactor.object(line.event) };
    if (line.dir === 'open') return { ...head, dir: line.dir };
    const text = line.text === undefined ? {} : { text: maskText(line.text) };
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
    const bytes = await replaceMedia(`${folder}/${original}`, name, deps);
    const written = await writeContent(deps.files, `${into}/${name}`, bytes);
    if (!written.ok) return written;
  }
  // Written after the media, because a folder with this file counts as a tape.
  return writeFile(deps.files, `${into}/${tapeFiles.lines}`, async (file) => {
    for (const line of [redactHeader(tape.header), ...lines])
      file.append(`${JSON.stringify(line)}\n`);
    return file.resume();
  });
}

/** New names for the media of a tape, because a name may be private. */
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

function redactHeader(header: TapeHeader): TapeHeader {
  const { settings, endpoint } = header;
  const { instructions } = settings;
  return headerForTape({
    ...header,
    settings: { ...settings, instructions: instructions && maskText(instructions) },
    endpoint: endpoint.startsWith('parley:') ? endpoint : fakeEndpoint(endpoint),
  });
}

function fakeEndpoint(endpoint: string): string {
  const [scheme = ''] = /^wss?:\/\//u.exec(endpoint) ?? ['wss://'];
  return endpoint === '' ? '' : `${scheme}server.example/`;
}

const blockSeconds = 20;

function writeNoise(sound: TapeSound, file: FileWriter, seed: number): Promise<Done> {
  const noise = new EnvelopeNoise(seed);
  const atOnce = Math.round((sound.rate * envelopeMs) / 1000) * (1000 / envelopeMs) * blockSeconds;
  return copySound(sound, file, atOnce, (samples) => noise.of(samples, sound.rate));
}

/** Pictures are blurred by shrinking them to this width, in pixels, and enlarging them again. */
const maxPixels = 6;

async function replaceMedia(
  path: string,
  name: string,
  { files, base64, frames }: RedactDeps,
): Promise<Uint8Array> {
  const read = readNow(files, path, tapeLimits.frameBytes);
  const bytes = read.ok && read.value.length > 0 ? read.value : undefined;
  if (!name.startsWith('frame-')) return replaceVoice(bytes);
  const blurred = bytes === undefined ? undefined : await blurPicture(bytes, frames);
  return blurred ?? base64.decode(missingPicture) ?? new Uint8Array();
}

async function blurPicture(jpeg: Uint8Array, frames: Frames): Promise<Uint8Array | undefined> {
  let size = { width: maxPixels, height: maxPixels };
  const small = await frames.prepare(jpeg, (upright) => {
    size = upright;
    const height = Math.max(1, Math.round((maxPixels * upright.height) / upright.width));
    return { crop: undefined, width: maxPixels, height: Math.min(height, maxPixels) };
  });
  if (!small.ok) return undefined;
  const { width, height } = size;
  const large = await frames.prepare(small.value.jpeg, () => ({ crop: undefined, width, height }));
  return large.ok ? large.value.jpeg : undefined;
}

/** Replaces a reference voice with faint noise of the same length. */
function replaceVoice(bytes: Uint8Array | undefined): Uint8Array {
  const samples = Math.max(1, Math.floor((bytes?.length ?? 4) / 4));
  const level = new Float32Array(samples).fill(0.01);
  return new Uint8Array(new EnvelopeNoise(3).of(level, 16_000).buffer);
}

/**
 * The length of a noise step. Captions and yielding need the level no finer, and steps of this length hide the pitch
 * and who speaks.
 */
const envelopeMs = 10;

/** Makes deterministic noise that has the level of a sound in each envelope step. */
class EnvelopeNoise {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** @param rate samples per second; the sound must begin at an envelope step */
  of(sound: Float32Array, rate: number): Float32Array {
    const length = Math.max(1, Math.round((rate * envelopeMs) / 1000));
    const noise = new Float32Array(sound.length);
    for (let from = 0; from < sound.length; from += length) {
      const step = noise.subarray(from, from + length);
      const level = rmsLevel(sound.subarray(from, from + length));
      if (level === 0) continue;
      for (let n = 0; n < step.length; n += 1) step[n] = this.#next();
      const factor = level / (rmsLevel(step) || 1);
      for (let n = 0; n < step.length; n += 1) step[n] = (step[n] ?? 0) * factor;
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

function rmsLevel(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) if (Math.abs(sample) < 1e6) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}
