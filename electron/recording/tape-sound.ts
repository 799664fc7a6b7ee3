import { failure } from '../../shared/errors/app-error.ts';
import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import { readWavHeader } from '../../shared/wav/read-wav-header.ts';
import type { Files, ReadableFile } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';

/** One of a tape's files of sound, read where something of it is wanted. */
export interface TapeSound {
  /** How many samples are really there. */
  readonly samples: number;
  readonly rate: number;
  /** Samples as float32 on the wire; silence where there are none. */
  readonly bytes: (from: number, samples: number) => Uint8Array;
  readonly close: () => void;
}

const bytesPerSample = 4;
const maxHeaderBytes = 4096;
/** Before the first sample of what we write ourselves. */
const ownHeaderBytes = 58;

/** Where it is missing, or was cut before its first sample, it is one without any. */
export function openTapeSound(
  path: string,
  name: string,
  files: Pick<Files, 'openToRead'>,
): Outcome<TapeSound> {
  const opened = files.openToRead(path);
  if (!opened.ok) return { ok: true, value: noSound };
  const file = opened.value;
  const dataStart = findSamples(file, name);
  if (dataStart.ok && dataStart.value !== undefined) {
    return { ok: true, value: soundFrom(file, dataStart.value) };
  }
  file.close();
  return dataStart.ok ? { ok: true, value: noSound } : dataStart;
}

const noSound: TapeSound = {
  samples: 0,
  rate: outputRate,
  bytes: (_from, samples) => new Uint8Array(samples * bytesPerSample),
  close: () => undefined,
};

interface SamplesPlace {
  readonly dataStart: number;
  readonly rate: number;
}

/** Where the samples begin; nothing where the file does not reach so far. */
function findSamples(file: ReadableFile, name: string): Outcome<SamplesPlace | undefined> {
  const read = file.readNow(0, maxHeaderBytes);
  if (!read.ok) return failure('tapeSoundUnreadable', { name }, { cause: read.error });
  const bytes = read.value;
  if (isCutHeader(bytes)) return { ok: true, value: undefined };
  const head = readWavHeader(bytes, file.size);
  if (!head.ok) {
    return head.error.code === 'wavEmpty'
      ? { ok: true, value: undefined }
      : failure('tapeSoundUnreadable', { name }, { cause: head.error });
  }
  const { format, dataStart } = head.value;
  return format.coding === 'float' && format.bytesPerSample === 4 && format.channels === 1
    ? { ok: true, value: { dataStart, rate: format.rate } }
    : failure('tapeSoundChanged', { name });
}

/** The beginning of what we write, or the zeros that a power cut leaves in its place. */
function isCutHeader(bytes: Uint8Array): boolean {
  if (bytes.every((byte) => byte === 0)) return true;
  const begins = [0x52, 0x49, 0x46, 0x46].every((byte, at) => byte === (bytes[at] ?? byte));
  return bytes.length < ownHeaderBytes && begins;
}

/** All samples that are there: after a kill there are more of them than the header says. */
function soundFrom(file: ReadableFile, { dataStart, rate }: SamplesPlace): TapeSound {
  return {
    rate,
    samples: Math.floor((file.size - dataStart) / bytesPerSample),
    bytes: (from, samples) => {
      const length = samples * bytesPerSample;
      const read = file.readNow(dataStart + from * bytesPerSample, length);
      if (read.ok && read.value.length === length) return read.value;
      const padded = new Uint8Array(length);
      if (read.ok) padded.set(read.value);
      return padded;
    },
    close: () => {
      file.close();
    },
  };
}
