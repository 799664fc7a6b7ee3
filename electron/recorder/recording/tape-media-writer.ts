import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Base64 } from '../../../shared/protocol/base64.ts';
import type { Files } from '../../ports/files.ts';
import type { MediaKind, StoreMedia } from './extract-media.ts';
import type { TapeChecksums } from './tape-checksums.ts';
import type { MediaReference } from './tape.ts';
import type { WavWriter } from './wav-writer.ts';

export interface SoundTrack {
  readonly name: string;
  readonly sound: Pick<WavWriter, 'write' | 'samplesWritten'>;
}

export interface TapeMediaWriterDeps {
  readonly folder: string;
  readonly files: Files;
  readonly base64: Base64;
  readonly checksums: TapeChecksums | undefined;
  readonly onError: (error: AppError) => void;
}

export interface TapeMediaWriter {
  /** Sound goes to the given track, all else to files of its own. */
  readonly storeInto: (track: SoundTrack) => StoreMedia;
  /** Waits for the files that are being written. */
  readonly settle: () => Promise<void>;
}

/** Where a tape's media go. */
export function createTapeMediaWriter(deps: TapeMediaWriterDeps): TapeMediaWriter {
  const { folder, files, base64, checksums, onError } = deps;
  const counts = { frame: 0, voice: 0 };
  const voices = new Map<string, string>();
  const writing = new Set<Promise<void>>();

  const writeWhole = async (name: string, bytes: Uint8Array): Promise<void> => {
    const fail = (error: AppError): void => {
      checksums?.forget(name);
      onError(error);
    };
    checksums?.whole(name, bytes);
    const file = await files.create(`${folder}/${name}`, fail);
    if (!file.ok) {
      fail(file.error);
      return;
    }
    file.value.append(bytes);
    await file.value.close();
  };

  const putFile = (kind: 'frame' | 'voice', text: string, bytes: Uint8Array): MediaReference => {
    // A second attempt to connect says the same voice again.
    const known = kind === 'voice' ? voices.get(text) : undefined;
    if (known !== undefined) return { $file: known };
    counts[kind] += 1;
    const number = kind === 'frame' ? String(counts.frame).padStart(4, '0') : counts.voice;
    const name = `${kind}-${number}.${extensionOf(bytes)}`;
    if (kind === 'voice') voices.set(text, name);
    const written = writeWhole(name, bytes).finally(() => writing.delete(written));
    writing.add(written);
    return { $file: name };
  };

  return {
    storeInto: (track) => (kind: MediaKind, text: string) => {
      const bytes = base64.decode(text);
      // Only what comes back as the very same text may leave the frame.
      if (bytes === undefined || bytes.length === 0 || base64.encode(bytes) !== text) {
        return undefined;
      }
      return kind === 'sound' ? putSound(track, bytes) : putFile(kind, text, bytes);
    },
    settle: async () => {
      await Promise.all(writing);
    },
  };
}

function putSound(track: SoundTrack, bytes: Uint8Array): MediaReference | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const from = track.sound.samplesWritten;
  // A copy, because the decoder's bytes need not begin where floats may.
  track.sound.write(new Float32Array(bytes.slice().buffer));
  return { $sound: track.name, from, samples: bytes.length / 4 };
}

const beginnings: readonly (readonly [string, readonly number[]])[] = [
  ['jpg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['wav', [0x52, 0x49, 0x46, 0x46]],
];

function extensionOf(bytes: Uint8Array): string {
  const found = beginnings.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  return found?.[0] ?? 'bin';
}
