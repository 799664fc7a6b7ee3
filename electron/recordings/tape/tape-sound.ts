import {
  decodeSamples,
  readWavHeader,
  type WavFormat,
  encodeSamples,
  encodeWavHeader,
  type WavEncoding,
} from '../../../shared/audio/wav.ts';
import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Files, FileWriter, ReadableFile } from '../../../shared/ports/files.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { FlacTrack } from '../flac/flac-decoder.ts';
import { flacHeaderBytes, readFlacHeader } from '../flac/flac-format.ts';
import { defaultCoding, losslessCoding, type TapeCoding, tapeFiles, tapeLimits } from './tape.ts';

export interface TapeSound {
  /** Samples in the file, counted by its content rather than read from its header. */
  readonly samples: number;
  readonly rate: number;
  readonly coding: TapeCoding;
  /** Samples as float32 bytes, as on the wire; silence beyond the end. */
  readonly bytes: (from: number, samples: number) => Uint8Array;
  readonly close: () => void;
}

export function readSamples(sound: TapeSound, from: number, samples: number): Float32Array {
  return new Float32Array(sound.bytes(from, samples).slice().buffer);
}

const wireBytes = 4;
/** Room for other programs' metadata before the first sample. */
const maxHeaderBytes = 65_536;
/** Size of the WAV header that Parley writes for float32; the one for 16 bits is shorter. */
const ownHeaderBytes = 58;

/** A file that cannot be opened, or is cut within its header, opens as an empty sound. */
export function openTapeSound(
  path: string,
  name: string,
  files: Pick<Files, 'openToRead'>,
): Outcome<TapeSound> {
  const opened = files.openToRead(path);
  if (!opened.ok) return { ok: true, value: noSound };
  const file = opened.value;
  const sound = readSound(file, name);
  if (sound.ok && sound.value !== undefined) return { ok: true, value: sound.value };
  file.close();
  return sound.ok ? { ok: true, value: noSound } : sound;
}

const noSound: TapeSound = {
  samples: 0,
  rate: outputRate,
  coding: defaultCoding,
  bytes: (_from, samples) => new Uint8Array(samples * wireBytes),
  close: () => undefined,
};

/** Detects the format by content. Undefined if the file is cut within its header. */
function readSound(file: ReadableFile, name: string): Outcome<TapeSound | undefined> {
  const read = file.readNow(0, maxHeaderBytes);
  if (!read.ok) return failure('tapeSoundUnreadable', { name }, { cause: read.error });
  const bytes = read.value;
  if (isCut(bytes, wavBeginning, ownHeaderBytes) || isCut(bytes, flacBeginning, flacHeaderBytes))
    return done;
  if (flacBeginning.every((byte, at) => byte === bytes[at])) return flacSound(file, bytes, name);
  const head = readWavHeader(bytes, file.size);
  if (!head.ok) {
    return head.error.code === 'wavEmpty'
      ? { ok: true, value: undefined }
      : failure('tapeSoundUnreadable', { name }, { cause: head.error });
  }
  const { format, dataStart } = head.value;
  const { coding, bytesPerSample, channels } = format;
  const isFloat32 = coding === 'float' && bytesPerSample === wireBytes;
  if (channels !== 1 || !(isFloat32 || (coding === 'int' && bytesPerSample === 2)))
    return failure('tapeSoundChanged', { name });
  return {
    ok: true,
    value: isFloat32 ? floatSound(file, dataStart, format) : shortSound(file, dataStart, format),
  };
}

const wavBeginning = [0x52, 0x49, 0x46, 0x46];
const flacBeginning = [0x66, 0x4c, 0x61, 0x43];

/** Whether the file has only part of the header, or zeros after a power cut. */
function isCut(bytes: Uint8Array, beginning: readonly number[], whole: number): boolean {
  if (bytes.every((byte) => byte === 0)) return true;
  return bytes.length < whole && beginning.every((byte, at) => byte === (bytes[at] ?? byte));
}

/** Counts samples by the file's size, because after a kill the header counts too few. */
function floatSound(file: ReadableFile, dataStart: number, { rate }: WavFormat): TapeSound {
  return {
    rate,
    coding: defaultCoding,
    samples: Math.floor((file.size - dataStart) / wireBytes),
    bytes: (from, samples) => {
      const length = samples * wireBytes;
      const read = file.readNow(dataStart + from * wireBytes, length);
      if (read.ok && read.value.length === length) return read.value;
      const padded = new Uint8Array(length);
      if (read.ok) padded.set(read.value);
      return padded;
    },
    close: () => file.close(),
  };
}

function shortSound(file: ReadableFile, dataStart: number, format: WavFormat): TapeSound {
  return {
    rate: format.rate,
    coding: 'pcm16',
    samples: Math.floor((file.size - dataStart) / 2),
    bytes: (from, samples) => {
      const wire = new Float32Array(samples);
      const read = file.readNow(dataStart + from * 2, samples * 2);
      if (read.ok) decodeSamples(read.value, format, wire);
      return new Uint8Array(wire.buffer);
    },
    close: () => file.close(),
  };
}

function flacSound(
  file: ReadableFile,
  beginning: Uint8Array,
  name: string,
): Outcome<TapeSound | undefined> {
  const head = readFlacHeader(beginning);
  if (head === undefined) return failure('tapeSoundUnreadable', { name });
  if (head.channels !== 1 || head.bitsPerSample !== 16)
    return failure('tapeSoundChanged', { name });
  const track = new FlacTrack(file, head, tapeLimits.soundBytes / wireBytes);
  return {
    ok: true,
    value: {
      rate: head.rate,
      coding: 'flac',
      samples: track.samples,
      bytes: (from, samples) => {
        const wire = new Float32Array(samples);
        track.read(from, wire);
        return new Uint8Array(wire.buffer);
      },
      close: () => file.close(),
    },
  };
}

export interface WavWriter {
  /** Writes interleaved samples. They are copied before the call returns. */
  readonly write: (samples: Float32Array) => void;
  readonly samplesWritten: number;
  readonly finish: () => Promise<Outcome<undefined>>;
}

export interface WavWriterOptions {
  readonly rate: number;
  readonly channels?: number | undefined;
  readonly coding: WavEncoding['coding'];
}

/** Writes a WAV file. Updates the header after each second of sound, so that a killed recorder leaves a readable file. */
export function openWavWriter(
  file: FileWriter,
  { rate, channels = 1, coding }: WavWriterOptions,
): WavWriter {
  const encoding = { rate, channels, coding };
  let written = 0;
  let headerSamples = 0;
  const updateHeader = (): void => {
    file.writeAt(0, encodeWavHeader(encoding, written));
    headerSamples = written;
  };

  file.append(encodeWavHeader(encoding, 0));
  return {
    write: (samples) => {
      file.append(encodeSamples(samples, coding));
      written += samples.length;
      if (written - headerSamples >= rate * channels) updateHeader();
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      if (headerSamples !== written) updateHeader();
      return file.close();
    },
  };
}

/** Names of the recorded sounds, current and from older versions. */
export const playedSoundNames: readonly string[] = [
  tapeFiles.microphone,
  tapeFiles.answer,
  'microphone.flac',
  'answer.flac',
];

/** Name for a copied sound: FLAC becomes WAV unless that name is taken. */
export function copyName(name: string, sounds: ReadonlyMap<string, TapeSound>): string {
  const wav = name.replace(/\.flac$/u, '.wav');
  return sounds.has(wav) ? name : wav;
}

/** Writes a sound as WAV, a block at a time. */
export async function copySound(
  sound: TapeSound,
  file: FileWriter,
  samplesAtOnce = 1_000_000,
  change = (samples: Float32Array): Float32Array => samples,
): Promise<Outcome<undefined>> {
  const track = openWavWriter(file, { rate: sound.rate, coding: losslessCoding(sound.coding) });
  for (let from = 0; from < sound.samples; from += samplesAtOnce) {
    const count = Math.min(samplesAtOnce, sound.samples - from);
    track.write(change(readSamples(sound, from, count)));
    const written = await file.resume();
    if (!written.ok) return written;
  }
  return track.finish();
}
