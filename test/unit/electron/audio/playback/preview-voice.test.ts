import { describe, expect, it } from 'vitest';
import { previewVoice } from '../../../../../electron/audio/playback/preview-voice.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { FakeDevice } from '../../../../fakes/fake-sound-driver.ts';
import { SoundStage } from '../devices/sound-stage.ts';

async function preview(devices?: readonly FakeDevice[]) {
  const stage = new SoundStage(devices);
  const speaker = await stage.speaker('default');
  const { stop, ended } = previewVoice(new Float32Array(2 * outputRate).fill(0.1), {
    speaker,
    clock: stage.clock,
  });
  const state = { ended: false };
  void ended.then(() => (state.ended = true));
  return { stage, stop, state, open: () => stage.driver.opened };
}

describe('a voice preview', () => {
  it('plays to its end and then closes the speaker', async () => {
    const { stage, state, open } = await preview();
    await stage.pass(1900);
    expect([state.ended, open()]).toEqual([false, 1]);
    await stage.pass(300);
    expect([state.ended, open()]).toEqual([true, 0]);
  });

  it('stops at once even when stopped twice', async () => {
    const { stage, state, stop, open } = await preview();
    await stage.pass(500);
    await Promise.all([stop(), stop()]);
    expect([state.ended, open()]).toEqual([true, 0]);
    await stage.pass(10_000);
  });

  it('gives up on a missing speaker', async () => {
    const { stage, state } = await preview([]);
    await stage.pass(6500);
    expect(state.ended).toBe(false);
    await stage.pass(1000);
    expect(state.ended).toBe(true);
  });
});
