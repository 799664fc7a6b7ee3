import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { soundFromWav } from '../../../electron/audio/dsp/sound-from-wav.ts';
import { makeScratchFolder } from '../../../electron/platform/files/scratch-folder.ts';
import { unpackTape } from '../../../electron/platform/files/zip.ts';
import { encodeWav } from '../../../shared/audio/wav.ts';
import {
  decodeFlacFrame,
  maxFlacHeaderBytes,
  readFlacFrameHeader,
} from '../../../electron/recordings/flac/flac-decoder.ts';
import { flacHeaderCrc } from '../../../electron/recordings/flac/flac-format.ts';
import { openTapeSound } from '../../../electron/recordings/tape/tape.ts';
import { prepareVoice } from '../../../electron/settings/voices/voice-library.ts';
import { packMessage, unpackMessage } from '../../../shared/ipc/binary-message.ts';
import { decodePcm } from '../../../shared/protocol/base64-media.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { FakeFiles } from '../../fakes/fake-files.ts';
import { encodeFlacFrame, encodeFlacHead } from '../../fixtures/flac-writer.ts';
import { packFiles } from '../../fixtures/pack-tape.ts';
import type { EntryPoint } from '../entry-point.ts';

const spoken = Float32Array.from(
  { length: 3000 },
  (_, n) => 0.5 * Math.sin(n / 7) * Math.sin(n / 900),
);

const wavs = (['pcm16', 'float32'] as const).flatMap((coding) =>
  [1, 2].map((channels) => encodeWav(spoken, { rate: 24_000, channels, coding })),
);

function flacFrames(channels: number): readonly Uint8Array[] {
  const pcm = Int32Array.from(spoken, (sample) => Math.round(sample * 32_767));
  const sides = [pcm, pcm.map((sample) => sample >> 1)].slice(0, channels);
  return [0, 1000, 2000, 3000].map((from) =>
    encodeFlacFrame(
      sides.map((side) => side.slice(from, from + 1000)),
      from,
      24_000,
    ),
  );
}

const flac = (channels: number): Uint8Array =>
  Buffer.concat([encodeFlacHead({ rate: 24_000, channels }, 4000), ...flacFrames(channels)]);

/** Reads the start of a tape's sound file, and beyond its end. */
function readTaped(name: string, bytes: Uint8Array): unknown {
  const files = new FakeFiles();
  files.put(`/tape/${name}`, bytes);
  const sound = openTapeSound(`/tape/${name}`, name, files);
  if (!sound.ok) return sound;
  const { samples, bytes: wire, close } = sound.value;
  const heard = [wire(0, Math.min(samples, 10_000)), wire(Math.max(0, samples - 10), 100)];
  close();
  return [samples, ...heard];
}

/** Decodes a FLAC frame after repairing its header's checksum, without which the decoder stops early. */
function readFrame(bytes: Uint8Array): unknown {
  const frame = Uint8Array.of(0xff, 0xf9, ...bytes.subarray(2));
  for (let end = 5; end < Math.min(frame.length, maxFlacHeaderBytes); end += 1) {
    const before = frame[end] ?? 0;
    frame[end] = flacHeaderCrc(frame.subarray(0, end));
    if (readFlacFrameHeader(frame, 0, 4096) !== undefined)
      return decodeFlacFrame(frame, 0, 4096)?.first;
    frame[end] = before;
  }
  return undefined;
}

/** Entry points for bytes other than pictures: sounds, packed tapes and messages. */
export const soundEntryPoints: readonly EntryPoint<Uint8Array>[] = [
  {
    name: 'attached sounds',
    samples: wavs,
    open: (file) => soundFromWav(file, inputRate, 60),
  },
  {
    name: 'voices',
    // A low rate makes long sounds of few samples.
    samples: [encodeWav(spoken, { rate: 1000, channels: 1, coding: 'pcm16' })],
    open: (file) => {
      const sound = soundFromWav(file, inputRate, 60);
      return sound.ok ? prepareVoice(sound.value) : sound;
    },
  },
  { name: 'a tape’s WAV', samples: wavs, open: (file) => readTaped('answer.wav', file) },
  {
    name: 'a tape’s FLAC',
    samples: [flac(1), flac(2)],
    open: (file) => readTaped('answer.flac', file),
  },
  { name: 'frames of FLAC', samples: flacFrames(2), open: readFrame },
  {
    name: 'sound on the wire',
    samples: [new Uint8Array(spoken.buffer)],
    open: (bytes) => decodePcm(bytes.slice()),
  },
  {
    name: 'a tape in one file',
    samples: [packFiles([{ name: 'tape.ndjson', bytes: new Uint8Array(50) }])],
    open: async (file) => {
      const { path: folder, remove } = await makeScratchFolder('corrupted');
      const path = join(folder, 'one.parleytape');
      writeFileSync(path, file);
      const tape = await unpackTape(path);
      if (tape.ok) await tape.value.remove();
      await remove();
      return tape;
    },
  },
  {
    name: 'a message with bytes',
    samples: [
      packMessage({ id: 1, request: 'pushFrame', input: { jpeg: Uint8Array.of(1, 2) } }),
    ].filter((packed) => typeof packed !== 'string'),
    open: (bytes) => unpackMessage(bytes),
  },
];
