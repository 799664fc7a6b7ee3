/** Codings that Parley writes: `pcm16` for the wire and for users, `float32` without loss. */
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
