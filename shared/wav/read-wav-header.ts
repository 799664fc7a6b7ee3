import { failure } from '../errors/app-error.ts';
import { readWavFormat } from './read-wav-format.ts';
import type { WavFormat, WavHeader, WavOutcome } from './wav.ts';

const unknownLength = 0xff_ff_ff_ff;

/**
 * Finds the samples of a WAV file. The lengths in the file are believed only as far as the file
 * goes: a writer that was killed leaves zero, the largest number, or less than it wrote.
 *
 * @param fileLength how long the file is where `bytes` are only its beginning
 */
export function readWavHeader(bytes: Uint8Array, fileLength = bytes.length): WavOutcome<WavHeader> {
  if (fileLength === 0) return failure('emptyFile');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WAVE') {
    return failure('notWav');
  }
  const riffLength = view.getUint32(4, true);
  let form: WavFormat | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const tag = tagAt(view, at);
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    if (tag === 'fmt ') {
      const end = Math.min(start + length, bytes.length);
      const read = readWavFormat(new DataView(bytes.buffer, bytes.byteOffset + start, end - start));
      if (!read.ok) return read;
      form = read.value;
    } else if (tag === 'data') {
      if (form === undefined) {
        return failure('wavUnclear');
      }
      const neverFilledIn = length === 0 && (riffLength === unknownLength || riffLength <= at);
      const rest = fileLength - start;
      return headOf(form, start, neverFilledIn ? rest : Math.min(length, rest));
    }
    // Chunks begin at even places.
    at = start + length + (length % 2);
  }
  return failure('wavEmpty');
}

function headOf(form: WavFormat, dataStart: number, length: number): WavOutcome<WavHeader> {
  const dataLength = length - (length % (form.channels * form.bytesPerSample));
  if (dataLength <= 0) return failure('wavEmpty');
  return { ok: true, value: { format: form, dataStart, dataLength } };
}

function tagAt(view: DataView, at: number): string {
  const codes = [0, 1, 2, 3].map((index) => view.getUint8(at + index));
  return String.fromCharCode(...codes);
}
