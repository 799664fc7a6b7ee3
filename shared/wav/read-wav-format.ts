import { failure } from '../errors/app-error.ts';
import type { WavFormat, WavOutcome } from './wav.ts';

const plainInteger = 1;
const plainFloat = 3;
const extensible = 0xff_fe;

const otherCodings: Readonly<Record<number, string>> = {
  2: 'ADPCM',
  6: 'A-law',
  7: 'µ-law',
  17: 'IMA ADPCM',
  80: 'MPEG',
  85: 'MP3',
};

/** Reads the body of a `fmt ` chunk. */
export function readWavFormat(body: DataView): WavOutcome<WavFormat> {
  if (body.byteLength < 16) return broken('its format description is cut short');
  const tag = body.getUint16(0, true);
  // An extensible header says the real coding in the first two bytes of a longer name.
  if (tag === extensible && body.byteLength < 26) {
    return broken('its format description is cut short');
  }
  const coding = tag === extensible ? body.getUint16(24, true) : tag;
  const channels = body.getUint16(2, true);
  const rate = body.getUint32(4, true);
  if (channels === 0) return broken('it says that it has no channels');
  if (rate === 0) return broken('it says that it has no sample rate');
  if (coding !== plainInteger && coding !== plainFloat) return notPlain(coding);
  const bytesPerSample = sampleWidth(body, channels);
  const widths = coding === plainInteger ? [1, 2, 3, 4] : [4, 8];
  if (!widths.includes(bytesPerSample)) {
    return broken(`samples of ${String(bytesPerSample * 8)} bits are not known`);
  }
  const name = coding === plainInteger ? 'int' : 'float';
  return { ok: true, value: { rate, channels, coding: name, bytesPerSample } };
}

/** Samples of odd widths stand left-aligned in whole bytes; the block's size says how many. */
function sampleWidth(body: DataView, channels: number): number {
  const block = body.getUint16(12, true);
  if (block > 0 && block % channels === 0) return block / channels;
  return Math.ceil(body.getUint16(14, true) / 8);
}

function notPlain(coding: number): WavOutcome<WavFormat> {
  const name = otherCodings[coding] ?? `number ${String(coding)}`;
  return failure('wavCoded', { coding: name });
}

function broken(reason: string): WavOutcome<WavFormat> {
  return failure('wavBroken', {}, { detail: reason });
}
