import { readWavHeader } from './read-wav-header.ts';
import type { Wav, WavFormat, WavOutcome } from './wav.ts';

/** Reads a whole WAV file: integers of 8, 16, 24 and 32 bits, floats of 32 and 64. */
export function decodeWav(file: Uint8Array): WavOutcome<Wav> {
  const head = readWavHeader(file);
  if (!head.ok) return head;
  const { format, dataStart, dataLength } = head.value;
  const samples = decodeSamples(file.subarray(dataStart, dataStart + dataLength), format);
  return { ok: true, value: { rate: format.rate, channels: format.channels, samples } };
}

/**
 * Samples from their bytes; bytes that make no whole sample at the end are left out.
 *
 * @param room where to put them, for those who read a long file in parts and want no litter
 */
export function decodeSamples(
  bytes: Uint8Array,
  format: WavFormat,
  room: Float32Array = new Float32Array(Math.floor(bytes.length / format.bytesPerSample)),
): Float32Array {
  const width = format.bytesPerSample;
  const samples = room.subarray(0, Math.floor(bytes.length / width));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format.coding === 'float') fillFromFloats(samples, view, width);
  else if (width === 1) fillFromBytes(samples, view);
  else if (width === 2) fillFromShorts(samples, view);
  else if (width === 3) fillFromTriples(samples, view);
  else fillFromLongs(samples, view);
  return samples;
}

/** What is no number would silence everything that is computed from it. */
function fillFromFloats(samples: Float32Array, view: DataView, width: number): void {
  for (let index = 0; index < samples.length; index += 1) {
    const value =
      width === 4
        ? view.getFloat32(index * 4, true)
        : Math.fround(view.getFloat64(index * 8, true));
    samples[index] = Number.isFinite(value) ? value : 0;
  }
}

/** Only the narrowest samples are unsigned. */
function fillFromBytes(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = (view.getUint8(index) - 128) / 128;
  }
}

function fillFromShorts(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt16(index * 2, true) / 0x80_00;
  }
}

function fillFromTriples(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    const at = index * 3;
    const value = view.getUint16(at, true) + view.getInt8(at + 2) * 0x1_00_00;
    samples[index] = value / 0x80_00_00;
  }
}

function fillFromLongs(samples: Float32Array, view: DataView): void {
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt32(index * 4, true) / 0x80_00_00_00;
  }
}
