import { describe, expect, it, vi } from 'vitest';
import { fakeBuiltIn, type FakeDevice } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, SoundHarness } from '../devices/sound-harness.ts';
import { previewVoice } from '../../../../../electron/audio/playback/preview-voice.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';

const headset = { name: 'Headset' };

describe('a speaker’s device', () => {
  it('is the last choice when the choice changes during an open', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    harness.driver.openingMs = 100;
    const choosing = speaker.choose(headset);
    await harness.pass(50);
    const again = speaker.choose('default').then(() => harness.driver.speakers.length);
    await harness.pass(500);
    await choosing;
    expect(await again, 'devices opened before the choice was complete').toBe(3);
    expect(harness.driver.opened).toBe(1);
    expect(harness.kinds.at(-1)).toBe('Built-in');
    await speaker.end();
  });

  it('is closed when the speaker ends while opening', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    harness.driver.openingMs = 100;
    const choosing = speaker.choose(headset);
    await harness.pass(50);
    const ending = speaker.end().then(() => harness.driver.speakers.length);
    await harness.pass(1000);
    await choosing;
    expect(await ending, 'devices opened before the speaker had ended').toBe(2);
    expect(harness.driver.opened).toBe(0);
    speaker.write(numbered(0, 10));
    await harness.pass(1000);
    expect([harness.driver.opened, speaker.queued()]).toEqual([0, 0]);
  });

  it('opens when it is free, after it has reported why it could not open', async () => {
    const harness = new SoundHarness([fakeBuiltIn]);
    harness.driver.occupy('Built-in', true);
    const speaker = await harness.speaker('default');
    expect(harness.kinds).toEqual(['lost']);
    harness.driver.occupy('Built-in', false);
    await harness.pass(600);
    expect(harness.kinds).toEqual(['lost', 'Built-in']);
    await speaker.end();
  });

  it('opens on sound to play and closes a while after', async () => {
    const harness = new SoundHarness();
    const speaker = harness.lazySpeaker('default', 4000);
    await harness.pass(1000);
    expect(harness.driver.opened).toBe(0);
    speaker.write(numbered(0, 2400));
    await harness.pass(3000);
    speaker.write(numbered(2400, 2400));
    await harness.pass(3500);
    expect([harness.driver.opened, speaker.heard()]).toEqual([1, 4800]);
    await harness.pass(1000);
    expect(harness.driver.opened).toBe(0);
    speaker.write(numbered(4800, 100));
    await harness.pass(500);
    expect([harness.driver.opened, speaker.heard(), speaker.counters().devices]).toEqual([
      1, 4900, 2,
    ]);
    expect(harness.heardSamples).toEqual([...numbered(0, 4900)]);
    await speaker.end();
  });

  it('opens again for sound that is written while it closes', async () => {
    const harness = new SoundHarness();
    const speaker = harness.lazySpeaker('default', 0);
    speaker.write(numbered(0, 240));
    await harness.pass(200);
    harness.driver.closingMs = 300;
    await harness.pass(200);
    speaker.write(numbered(240, 240));
    await harness.pass(1000);
    expect(harness.heardSamples).toEqual([...numbered(0, 480)]);
    const closing = speaker.close();
    speaker.write(numbered(480, 240));
    await harness.pass(500);
    await closing;
    expect(harness.heardSamples).toEqual([...numbered(0, 720)]);
    await speaker.end();
  });

  it('closes after everything has been heard, unless it is opened again', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    speaker.write(numbered(0, 24_000));
    speaker.closeWhenHeard();
    await harness.pass(900);
    expect(harness.driver.opened).toBe(1);
    const opening = speaker.open();
    await harness.pass(1000);
    await opening;
    expect(harness.driver.opened).toBe(1);
    speaker.closeWhenHeard();
    await harness.pass(300);
    expect([harness.driver.opened, speaker.heard()]).toEqual([0, 24_000]);
    await speaker.end();
  });
});

describe('a speaker that opens its device on demand', () => {
  it('keeps an explicitly opened device after everything was heard', async () => {
    const harness = new SoundHarness();
    const speaker = harness.lazySpeaker('default', 500);
    await speaker.open();
    speaker.write(numbered(0, 240));
    await harness.pass(3000);
    expect(harness.driver.opened).toBe(1);
    speaker.closeWhenHeard();
    await harness.pass(1000);
    expect(harness.driver.opened).toBe(0);
    await speaker.end();
  });

  it('does not open its device without sound', async () => {
    const harness = new SoundHarness();
    const speaker = harness.lazySpeaker('default', 500);
    speaker.write(new Float32Array(0));
    expect(speaker.flush()).toEqual({ heard: 0, dropped: 0, answer: 0 });
    await harness.pass(500);
    expect(harness.driver.speakers).toHaveLength(0);
    await speaker.end();
  });

  it('applies the device and volume set before', async () => {
    const harness = new SoundHarness();
    const speaker = harness.lazySpeaker('default', 500);
    speaker.setVolume(0.3);
    await speaker.choose(headset);
    expect(speaker.counters()).toEqual({ underruns: 0, repaired: 0, devices: 0, latencyMs: 0 });
    speaker.write(numbered(0, 240));
    await harness.pass(200);
    expect(harness.kinds).toEqual(['Headset']);
    expect(harness.driver.speakers[0]?.volume).toBe(0.3);
    await speaker.end();
  });

  it('leaves no timer after closing', async () => {
    const harness = new SoundHarness();
    const speaker = harness.lazySpeaker('default', 500);
    speaker.write(numbered(0, 240));
    await harness.pass(2000);
    expect(harness.driver.opened).toBe(0);
    const after = vi.spyOn(harness.clock, 'after');
    await harness.pass(2000);
    expect(after).not.toHaveBeenCalled();
    await speaker.end();
  });
});

describe('a speaker that is opened explicitly', () => {
  it('keeps sound that is written after it has closed, until it is opened again', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    speaker.closeWhenHeard();
    await harness.pass(500);
    expect(harness.driver.opened).toBe(0);
    speaker.write(numbered(0, 240));
    await harness.pass(1000);
    expect([harness.driver.opened, speaker.queued()]).toEqual([0, 240]);
    await speaker.open();
    await harness.pass(200);
    expect(speaker.heard()).toBe(240);
    await speaker.end();
  });
});

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
