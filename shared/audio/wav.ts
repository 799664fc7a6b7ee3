import { failure, type Outcome } from '../errors/app-error.ts';

interface Wav {
  readonly rate: number;
  readonly channels: number;
  readonly samples: Float32Array;
}

export interface WavFormat {
  readonly rate: number;
  readonly channels: number;
  readonly coding: 'int' | 'float';
  readonly bytesPerSample: number;
}

interface WavHeader {
  readonly format: WavFormat;
  readonly dataStart: number;
  /** In bytes: a whole number of frames, within the file. */
  readonly dataLength: number;
}

/** Reads a whole WAV file: integers of 8, 16, 24 and 32 bits, floats of 32 and 64. */
export function decodeWav(file: Uint8Array): Outcome<Wav> {
  const head = readWavHeader(file);
  if (!head.ok) return head;
  const { format, dataStart, dataLength } = head.value;
  const samples = decodeSamples(file.subarray(dataStart, dataStart + dataLength), format);
  return { ok: true, value: { rate: format.rate, channels: format.channels, samples } };
}

/** @param target array to reuse; an incomplete sample at the end is ignored */
export function decodeSamples(
  bytes: Uint8Array,
  format: WavFormat,
  target: Float32Array = new Float32Array(Math.floor(bytes.length / format.bytesPerSample)),
): Float32Array {
  const width = format.bytesPerSample;
  const samples = target.subarray(0, Math.floor(bytes.length / width));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format.coding === 'float') fillFromFloats(samples, view, width);
  else if (width === 1) fillFromUint8(samples, view);
  else if (width === 2) fillFromInt16(samples, view);
  else if (width === 3) fillFromInt24(samples, view);
  else fillFromInt32(samples, view);
  return samples;
}

/** Replaces NaN and infinities, which would silence everything computed from them. */
function fillFromFloats(samples: Float32Array, view: DataView, width: number): void {
  for (let index = 0; index < samples.length; index += 1) {
    const value =
      width === 4
        ? view.getFloat32(index * 4, true)
        : Math.fround(view.getFloat64(index * 8, true));
    samples[index] = Number.isFinite(value) ? value : 0;
  }
}

/** 8-bit samples are unsigned. */
function fillFromUint8(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = (view.getUint8(index) - 128) / 128;
  }
}

function fillFromInt16(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt16(index * 2, true) / 0x80_00;
  }
}

function fillFromInt24(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    const at = index * 3;
    const value = view.getUint16(at, true) + view.getInt8(at + 2) * 0x1_00_00;
    samples[index] = value / 0x80_00_00;
  }
}

function fillFromInt32(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt32(index * 4, true) / 0x80_00_00_00;
  }
}

const unknownLength = 0xff_ff_ff_ff;

/**
 * Finds the samples of a WAV file. Accepts wrong lengths, because a program that was killed leaves them.
 * @param fileLength the file's length if `bytes` is only its start
 */
export function readWavHeader(bytes: Uint8Array, fileLength = bytes.length): Outcome<WavHeader> {
  if (fileLength === 0) return failure('emptyFile');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WAVE') {
    return failure('notWav');
  }
  const riffLength = view.getUint32(4, true);
  let format: WavFormat | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const tag = tagAt(view, at);
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    if (tag === 'fmt ') {
      const end = Math.min(start + length, bytes.length);
      const read = readWavFormat(new DataView(bytes.buffer, bytes.byteOffset + start, end - start));
      if (!read.ok) return read;
      format = read.value;
    } else if (tag === 'data') {
      if (format === undefined) return failure('wavUnclear');
      const isLengthMissing = length === 0 && (riffLength === unknownLength || riffLength <= at);
      const available = fileLength - start;
      return createWavHeader(
        format,
        start,
        isLengthMissing ? available : Math.min(length, available),
      );
    }
    // Chunks are aligned to even offsets.
    at = start + length + (length % 2);
  }
  return failure('wavEmpty');
}

function createWavHeader(format: WavFormat, dataStart: number, length: number): Outcome<WavHeader> {
  const dataLength = length - (length % (format.channels * format.bytesPerSample));
  if (dataLength <= 0) return failure('wavEmpty');
  return { ok: true, value: { format, dataStart, dataLength } };
}

function tagAt(view: DataView, at: number): string {
  const codes = [0, 1, 2, 3].map((index) => view.getUint8(at + index));
  return String.fromCharCode(...codes);
}

const integerTag = 1;
const floatTag = 3;
const extensibleTag = 0xff_fe;

const otherCodings: Readonly<Record<number, string>> = {
  2: 'ADPCM',
  6: 'A-law',
  7: 'µ-law',
  17: 'IMA ADPCM',
  80: 'MPEG',
  85: 'MP3',
};

function readWavFormat(body: DataView): Outcome<WavFormat> {
  if (body.byteLength < 16) return brokenWav('its format description is cut short');
  const tag = body.getUint16(0, true);
  // An extensible header has the real coding in the first two bytes of its GUID.
  if (tag === extensibleTag && body.byteLength < 26) {
    return brokenWav('its format description is cut short');
  }
  const coding = tag === extensibleTag ? body.getUint16(24, true) : tag;
  const channels = body.getUint16(2, true);
  const rate = body.getUint32(4, true);
  if (channels === 0) return brokenWav('its header declares 0 channels');
  if (rate === 0) return brokenWav('its header declares a sample rate of 0');
  if (coding !== integerTag && coding !== floatTag) return unsupportedCoding(coding);
  const bytesPerSample = sampleWidth(body, channels);
  const widths = coding === integerTag ? [1, 2, 3, 4] : [4, 8];
  if (!widths.includes(bytesPerSample)) {
    return brokenWav(`${String(bytesPerSample * 8)}-bit samples are not supported`);
  }
  const codingName = coding === integerTag ? 'int' : 'float';
  return { ok: true, value: { rate, channels, coding: codingName, bytesPerSample } };
}

/** Returns the bytes per sample, from the block size, because a sample can have padding, such as 24 bits in 4 bytes. */
function sampleWidth(body: DataView, channels: number): number {
  const block = body.getUint16(12, true);
  if (block > 0 && block % channels === 0) return block / channels;
  return Math.ceil(body.getUint16(14, true) / 8);
}

function unsupportedCoding(coding: number): Outcome<WavFormat> {
  const codingName = otherCodings[coding] ?? `number ${String(coding)}`;
  return failure('wavCoded', { coding: codingName });
}

function brokenWav(reason: string): Outcome<WavFormat> {
  return failure('wavBroken', {}, { detail: reason });
}

/** A format that Parley writes. Only `float32` is lossless. */
export interface WavEncoding {
  readonly rate: number;
  readonly channels: number;
  readonly coding: 'pcm16' | 'float32';
}

const maxFileLength = 0xff_ff_ff_ff;

/** Encodes a header. Its length depends only on the coding, so it can be overwritten later. */
export function encodeWavHeader(plan: WavEncoding, samples: number): Uint8Array {
  const isFloat = plan.coding === 'float32';
  const bytesPerSample = isFloat ? 4 : 2;
  // Codings other than PCM need a longer `fmt ` chunk and a `fact` chunk.
  const header = new Uint8Array(isFloat ? 58 : 44);
  const view = new DataView(header.buffer);
  const dataLength = Math.min(samples * bytesPerSample, maxFileLength - header.length);
  writeTag(header, 0, 'RIFF');
  view.setUint32(4, header.length - 8 + dataLength, true);
  writeTag(header, 8, 'WAVE');
  writeTag(header, 12, 'fmt ');
  view.setUint32(16, isFloat ? 18 : 16, true);
  view.setUint16(20, isFloat ? 3 : 1, true);
  view.setUint16(22, plan.channels, true);
  view.setUint32(24, plan.rate, true);
  view.setUint32(28, plan.rate * plan.channels * bytesPerSample, true);
  view.setUint16(32, plan.channels * bytesPerSample, true);
  view.setUint16(34, bytesPerSample * 8, true);
  if (isFloat) {
    writeTag(header, 38, 'fact');
    view.setUint32(42, 4, true);
    view.setUint32(46, Math.floor(samples / plan.channels), true);
  }
  writeTag(header, header.length - 8, 'data');
  view.setUint32(header.length - 4, dataLength, true);
  return header;
}

function writeTag(bytes: Uint8Array, at: number, tag: string): void {
  for (let index = 0; index < 4; index += 1) bytes[at + index] = tag.charCodeAt(index);
}

/** Encodes a whole WAV file; channels in `samples` are interleaved. */
export function encodeWav(samples: Float32Array, plan: WavEncoding): Uint8Array {
  const header = encodeWavHeader(plan, samples.length);
  const data = encodeSamples(samples, plan.coding);
  const file = new Uint8Array(header.length + data.length);
  file.set(header, 0);
  file.set(data, header.length);
  return file;
}

/** Encodes samples to follow a header. Does not copy float samples: all supported machines are little-endian. */
export function encodeSamples(samples: Float32Array, coding: WavEncoding['coding']): Uint8Array {
  if (coding === 'float32') {
    return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  }
  const pcm = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    // By hand, because `Math.round`, `min` and `max` take nearly twice as long.
    const scaled = Math.floor((samples[index] ?? 0) * 32_768 + 0.5);
    // The assignment turns NaN into zero, but would wrap values out of range.
    if (scaled > 32_767) pcm[index] = 32_767;
    else pcm[index] = scaled < -32_768 ? -32_768 : scaled;
  }
  return new Uint8Array(pcm.buffer);
}
