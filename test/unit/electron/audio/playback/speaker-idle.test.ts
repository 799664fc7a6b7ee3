import { describe, expect, it, vi } from 'vitest';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { numbered, SoundStage } from '../devices/sound-stage.ts';

const headset = { name: 'Headset' };

describe('a speaker that opens its device on demand', () => {
  it('keeps an explicitly opened device after everything was heard', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 500);
    await speaker.open();
    speaker.write(numbered(0, 240));
    await stage.pass(3000);
    expect(stage.driver.opened).toBe(1);
    speaker.closeWhenHeard();
    await stage.pass(1000);
    expect(stage.driver.opened).toBe(0);
    await speaker.end();
  });

  it('closes it a while after the last sound was heard', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 1000);
    speaker.write(numbered(0, 3 * outputRate));
    await stage.pass(3600);
    expect([stage.driver.opened, speaker.heard()]).toEqual([1, 3 * outputRate]);
    await stage.pass(1000);
    expect(stage.driver.opened).toBe(0);
    await speaker.end();
  });

  it('does not open it without sound', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 500);
    speaker.write(new Float32Array(0));
    expect(speaker.flush()).toEqual({ heard: 0, dropped: 0, answer: 0 });
    await stage.pass(500);
    expect(stage.driver.speakers).toHaveLength(0);
    await speaker.end();
  });

  it('applies the device and volume set before', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 500);
    speaker.setVolume(0.3);
    await speaker.choose(headset);
    expect(speaker.counters()).toEqual({ underruns: 0, repaired: 0, devices: 0, latencyMs: 0 });
    speaker.write(numbered(0, 240));
    await stage.pass(200);
    expect(stage.kinds).toEqual(['Headset']);
    expect(stage.driver.speakers[0]?.volume).toBe(0.3);
    await speaker.end();
  });

  it('leaves no timer after closing', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 500);
    speaker.write(numbered(0, 240));
    await stage.pass(2000);
    expect(stage.driver.opened).toBe(0);
    const after = vi.spyOn(stage.clock, 'after');
    await stage.pass(2000);
    expect(after).not.toHaveBeenCalled();
    await speaker.end();
  });
});

describe('a speaker that is opened explicitly', () => {
  it('keeps sound written after closing until it is opened again', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    speaker.closeWhenHeard();
    await stage.pass(500);
    expect(stage.driver.opened).toBe(0);
    speaker.write(numbered(0, 240));
    await stage.pass(1000);
    expect([stage.driver.opened, speaker.queued()]).toEqual([0, 240]);
    await speaker.open();
    await stage.pass(200);
    expect(speaker.heard()).toBe(240);
    await speaker.end();
  });

  it('keeps sound written while it closes', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    stage.driver.closingMs = 300;
    speaker.closeWhenHeard();
    await stage.pass(300);
    speaker.write(numbered(0, 240));
    await stage.pass(1000);
    expect([stage.driver.opened, speaker.queued()]).toEqual([0, 240]);
    await speaker.end();
  });

  it('follows the system’s default device', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    stage.driver.makeDefault('Headset');
    await stage.pass(5000);
    expect(stage.kinds.at(-1)).toBe('Headset');
    expect(stage.driver.opened).toBe(1);
    await speaker.end();
  });
});
