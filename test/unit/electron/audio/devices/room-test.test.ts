import { describe, expect, it } from 'vitest';
import { judgeRoom, roomName, writeRoom } from '../../../../../electron/audio/devices/room-test.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';

describe('judgeRoom', () => {
  it('reports a sound that clips the microphone', async () => {
    const { microphone, played } = echoRoom({ seed: 5, seconds: 3, echoDb: -26 });
    const quiet = microphone.subarray(0, 100);
    const clipped = microphone.map((x) => Math.max(-1, Math.min(1, 30 * x)));
    for (const [sound, isClipped] of [
      [microphone, false],
      [clipped, true],
    ] as const)
      expect(await judgeRoom({ quiet, alone: { microphone: sound, played } })).toMatchObject({
        isClipped,
      });
  });

  it('judges no room without captured sound', async () => {
    const silence = new Float32Array(inputRate * 2);
    const { microphone, played } = echoRoom({ seed: 6, seconds: 2 });
    expect(await judgeRoom({ quiet: silence, alone: { microphone: silence, played } })).toBe(
      'mute',
    );
    expect(await judgeRoom({ quiet: silence, alone: { microphone, played: silence } })).toBe(
      'unplayed',
    );
    const nothing = new Float32Array();
    expect(await judgeRoom({ quiet: nothing, alone: { microphone: nothing, played } })).toBe(
      'mute',
    );
  });
});

const sound = (level: number) => new Float32Array(1600).fill(level);
const recording = (level: number) => ({ microphone: sound(level), played: sound(-level) });
const room = { quiet: sound(0), alone: recording(0.25), over: recording(0.5) };
const name = roomName(new Date('2026-11-27T16:15:04.123Z'));

it('the files of a room test are written under the names that the benchmarks read', async () => {
  const files = new FakeFiles();
  files.putFolder('rooms');
  const written = await writeRoom(files, 'rooms', name, room);
  const stem = 'rooms/room-20261127T161504';
  expect(written).toEqual({
    ok: true,
    value: [
      `${stem}_mic.wav`,
      `${stem}_lpb.wav`,
      `${stem}_doubletalk_mic.wav`,
      `${stem}_doubletalk_lpb.wav`,
    ],
  });
  const first = soundFromWav(files.bytes(`${stem}_doubletalk_mic.wav`), 16_000, 60);
  expect(first.ok && [first.value.length, first.value[0]]).toEqual([
    1600,
    expect.closeTo(0.5, 3) as number,
  ]);
});

it('the files of a room test are written completely or not at all', async () => {
  const files = new FakeFiles();
  files.putFolder('rooms');
  files.fill(5000);
  expect(await writeRoom(files, 'rooms', name, room)).toMatchObject({ ok: false });
  expect(files.names()).toEqual([]);
});
