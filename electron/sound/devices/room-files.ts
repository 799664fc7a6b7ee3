import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { encodeWav } from '../../../shared/wav/encode-wav.ts';
import type { FileWriter, Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { EchoRecording } from '../capture/echo-recorder.ts';
import type { RoomRecordings } from './judge-room.ts';

/** How a room of that moment is called, in files and together. */
export function roomName(at: Date): string {
  return `room-${at.toISOString().slice(0, 19).replace(/[:-]/gu, '')}`;
}

/** Writes a room under the names that the yardsticks read, all of it or nothing; returns the files. */
export async function writeRoom(
  { create }: Pick<Files, 'create'>,
  folder: string,
  name: string,
  { alone, over }: RoomRecordings,
): Promise<Outcome<readonly string[]>> {
  const sounds = [...bothOf(name, alone), ...(over ? bothOf(`${name}_doubletalk`, over) : [])];
  const written: FileWriter[] = [];
  const kept: string[] = [];
  for (const [file, sound] of sounds) {
    const path = `${folder}/${file}`;
    const created = await create(path);
    if (created.ok) {
      written.push(created.value);
      created.value.append(encodeWav(sound, { rate: inputRate, channels: 1, coding: 'pcm16' }));
    }
    const closed = created.ok ? await created.value.close() : created;
    if (!closed.ok) {
      // Half a room is of no use to anybody.
      for (const writer of written) await writer.discard();
      return closed;
    }
    kept.push(path);
  }
  return { ok: true, value: kept };
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
