import { join } from 'node:path';
import { inputRate } from '../../../../shared/protocol/protocol-limits.ts';
import { encodeWav } from '../../../../shared/wav/encode-wav.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import type { EchoRecording } from '../../../sound/capture/echo-recorder.ts';
import type { RoomRecordings } from '../../../sound/devices/judge-room.ts';
import { createOutputFile, unwrapOrExit } from '../options/command-files.ts';

type Keeper = Pick<Parley, 'files'>;

/** Makes a folder that somebody named where it is missing, so that what cannot be kept is known before anything is recorded. */
export async function prepareRoomFolder({ files }: Keeper, folder: string): Promise<void> {
  const made = await files.createFolder(folder);
  // Rooms are added to rooms.
  if (!made.ok && made.error.code !== 'folderNotEmpty') unwrapOrExit(made);
}

/** Keeps a room under the names that the yardsticks read; returns the files. */
export async function keepRoom(
  { files }: Keeper,
  folder: string,
  { alone, over }: RoomRecordings,
): Promise<readonly string[]> {
  const name = `room-${new Date().toISOString().slice(0, 19).replace(/[:-]/gu, '')}`;
  const sounds: readonly (readonly [string, Float32Array])[] = [
    ...bothOf(name, alone),
    ...(over === undefined ? [] : bothOf(`${name}_doubletalk`, over)),
  ];
  const kept: string[] = [];
  for (const [file, sound] of sounds) {
    const path = join(folder, file);
    const writer = await createOutputFile({ files }, path);
    writer.append(encodeWav(sound, { rate: inputRate, channels: 1, coding: 'pcm16' }));
    const closed: Outcome<undefined> = await writer.close();
    unwrapOrExit(closed);
    kept.push(path);
  }
  return kept;
}

function bothOf(
  name: string,
  { microphone, played }: EchoRecording,
): readonly (readonly [string, Float32Array])[] {
  return [
    [`${name}_mic.wav`, microphone],
    [`${name}_lpb.wav`, played],
  ];
}
