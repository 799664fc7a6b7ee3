import { describe, expect, it } from 'vitest';
import { previewVoice } from '../../../../../electron/audio/playback/preview-voice.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { FakeDevice } from '../../../../fakes/fake-sound-driver.ts';
import { SoundHarness } from '../devices/sound-harness.ts';

async function preview(devices?: readonly FakeDevice[]) {
  const harness = new SoundHarness(devices);
  const speaker = await harness.speaker('default');
  const { stop, ended } = previewVoice(new Float32Array(2 * outputRate).fill(0.1), {
    speaker,
    clock: harness.clock,
  });
  const state = { ended: false };
  void ended.then(() => (state.ended = true));
  return { harness, stop, state, open: () => harness.driver.opened };
}

describe('a voice preview', () => {
  it('plays to its end and then closes the speaker', async () => {
    const { harness, state, open } = await preview();
    await harness.pass(1900);
    expect([state.ended, open()]).toEqual([false, 1]);
    await harness.pass(300);
    expect([state.ended, open()]).toEqual([true, 0]);
  });

  it('stops at once even when stopped twice', async () => {
    const { harness, state, stop, open } = await preview();
    await harness.pass(500);
    await Promise.all([stop(), stop()]);
    expect([state.ended, open()]).toEqual([true, 0]);
    await harness.pass(10_000);
  });

  it('gives up on a missing speaker', async () => {
    const { harness, state } = await preview([]);
    await harness.pass(6500);
    expect(state.ended).toBe(false);
    await harness.pass(1000);
    expect(state.ended).toBe(true);
  });
});
