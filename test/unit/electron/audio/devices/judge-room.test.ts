import { describe, expect, it } from 'vitest';
import { judgeRoom } from '../../../../../electron/audio/devices/room-test.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';

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
