import { describe, expect, it } from 'vitest';
import { MicrophoneRecording } from '../../../../../electron/audio/capture/microphone-recording.ts';
import { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { VoiceRecordingEvent } from '../../../../../shared/settings/audio-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { SoundHarness } from '../devices/sound-harness.ts';

const headset = { name: 'Headset' };

const isSilent = (block: Float32Array): boolean => block.every((sample) => sample === 0);

describe('a microphone', () => {
  it('captures every sample, emits the device in use, and ends', async () => {
    const harness = new SoundHarness();
    const microphone = await harness.microphone('default');
    await harness.pass(1000);
    expect(harness.samples).toBe(inputRate);
    expect(harness.kinds).toEqual(['Built-in']);
    expect(microphone.counters()).toMatchObject({ captured: inputRate, lost: 0, silenced: 0 });
    await microphone.end();
    await microphone.end();
    await harness.pass(100);
    expect([harness.driver.opened, harness.samples]).toEqual([0, inputRate]);
  });

  it('captures silence at the same rate within a second when its device dies, uses no other device, and recovers', async () => {
    const harness = new SoundHarness();
    const microphone = await harness.microphone(headset);
    await harness.pass(500);
    harness.driver.unplug('Headset');
    await harness.pass(1000);
    expect(harness.kinds).toEqual(['Headset', 'lost']);
    expect(harness.events[1]).toMatchObject({
      error: appError('deviceMissing', { device: 'Headset', known: '“Built-in”' }),
    });
    const before = harness.samples;
    const blocks = harness.heard.length;
    await harness.pass(10_000);
    expect(harness.samples - before).toBe(10 * inputRate);
    expect(harness.heard.slice(blocks).every(isSilent)).toBe(true);
    expect(harness.driver.microphones.every(({ device }) => device.name === 'Headset')).toBe(true);
    expect(harness.events).toHaveLength(2);
    harness.driver.plug(fakeHeadset);
    await harness.pass(600);
    expect(harness.kinds).toEqual(['Headset', 'lost', 'Headset']);
    const back = harness.heard.length;
    await harness.pass(1000);
    expect(harness.heard.length - back).toBe(50);
    expect(harness.heard.slice(back).some(isSilent)).toBe(false);
    expect(microphone.counters().devices).toBe(2);
    await microphone.end();
  });

  it('uses the system’s default microphone while substitutes are allowed, until the chosen one returns or the setting changes', async () => {
    const harness = new SoundHarness();
    let isAllowed = true;
    const microphone = await harness.microphone(headset, { allowsSubstitute: () => isAllowed });
    await harness.pass(500);
    harness.driver.unplug('Headset');
    await harness.pass(1000);
    expect(harness.events.at(-1)).toEqual({ kind: 'moved', from: 'Headset', device: 'Built-in' });
    const heard = harness.heard.length;
    await harness.pass(1000);
    expect(harness.heard.slice(heard).some(isSilent)).toBe(false);
    harness.driver.plug(fakeHeadset);
    await harness.pass(1000);
    expect(harness.kinds.at(-1)).toBe('Headset');
    expect(harness.driver.opened).toBe(1);
    harness.driver.unplug('Headset');
    await harness.pass(1000);
    expect(harness.kinds.at(-1)).toBe('moved Built-in');
    isAllowed = false;
    await harness.pass(1000);
    expect([harness.kinds.at(-1), harness.driver.opened]).toEqual(['lost', 0]);
    await microphone.end();
  });

  it('makes up for late ticks, but not for a night of sleep', async () => {
    const harness = new SoundHarness([]);
    const microphone = await harness.microphone('default');
    const late = (ms: number): number => {
      const before = harness.samples;
      // A sleeping machine runs no timers, and its clock is ahead when it wakes.
      const { now } = harness.clock;
      Object.defineProperty(harness.clock, 'now', { value: () => now() + ms, configurable: true });
      harness.clock.advance(20);
      Object.defineProperty(harness.clock, 'now', { value: now, configurable: true });
      return harness.samples - before;
    };
    await harness.pass(100);
    expect(late(1000)).toBe(1.02 * inputRate);
    expect(late(8 * 3_600_000)).toBeLessThanOrEqual(4 * inputRate);
    await microphone.end();
  });

  it('resamples a device that accepts only its own rate', async () => {
    const harness = new SoundHarness([{ ...fakeBuiltIn, rate: 44_100, onlyItsRate: true }]);
    const microphone = await harness.microphone('default');
    await harness.pass(5000);
    // The resampler holds back the last samples.
    expect(harness.samples).toBeLessThanOrEqual(5 * inputRate);
    expect(harness.samples).toBeGreaterThan(5 * inputRate - 50);
    expect(microphone.counters().captured).toBe(5 * inputRate);
    const [stream] = harness.driver.microphones;
    if (stream !== undefined) stream.loudness = Number.NaN;
    await harness.pass(1000);
    expect(microphone.counters().repaired).toBe(inputRate);
    harness.driver.unplug(fakeBuiltIn.name);
    await harness.pass(1000);
    expect(microphone.counters().repaired).toBe(inputRate);
    await microphone.end();
  });

  it('stamps each block with its capture time, and counts the delay of each stage, even after resampling', async () => {
    for (const rate of [16_000, 44_100]) {
      const harness = new SoundHarness([{ ...fakeBuiltIn, rate, onlyItsRate: true }]);
      const times: number[] = [];
      const echo = new EchoCancellation({
        open: () => ({
          finding: 'unknown',
          nearEndPresence: undefined,
          leadMs: 0,
          delayMs: 10,
          process: (frame) => frame,
          resume: () => undefined,
          reset: () => undefined,
          close: () => undefined,
        }),
        farEnd: {
          speaker: undefined,
          fill: (_reference, from) => {
            times.push(from);
          },
        },
        log: new FakeLog(),
        isEnabled: () => true,
      });
      const microphone = await harness.microphone('default', {}, echo);
      await harness.pass(400);
      const steps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(steps.length).toBeGreaterThan(30);
      // The device's 20 ms, the canceller's 10 ms, and half a filter of the resampler.
      const expectedMs = rate === inputRate ? 30 : 32.9;
      expect(microphone.latencyMs()).toBeCloseTo(expectedMs, 0);
      expect(microphone.counters().latencyMs).toBe(microphone.latencyMs());
      for (const step of steps) expect(Math.abs(step - 10)).toBeLessThan(0.1);
      await microphone.end();
    }
  });

  it('captures only from the last choice when the choice changes during an open', async () => {
    const strange = { ...fakeHeadset, rate: 48_000, onlyItsRate: true };
    const harness = new SoundHarness([fakeBuiltIn, strange]);
    const microphone = await harness.microphone('default');
    harness.driver.openingMs = 100;
    const choosing = microphone.choose(headset);
    await harness.pass(50);
    const again = microphone.choose('default');
    await harness.pass(1000);
    await Promise.all([choosing, again]);
    expect(harness.driver.opened).toBe(1);
    const before = harness.samples;
    await harness.pass(1000);
    expect(harness.samples - before).toBe(inputRate);
    await microphone.end();
  });

  it('leaves nothing open and emits nothing when it ends while opening', async () => {
    const harness = new SoundHarness();
    const microphone = await harness.microphone('default');
    harness.driver.openingMs = 100;
    const choosing = microphone.choose(headset);
    await harness.pass(50);
    const ending = microphone.end();
    const before = harness.samples;
    await harness.pass(1000);
    await Promise.all([choosing, ending]);
    expect([harness.driver.opened, harness.samples]).toEqual([0, before]);
  });
});

async function taken(maxSeconds: number) {
  const devices = new FakeDevices(new FakeClock());
  const events: VoiceRecordingEvent[] = [];
  const take = new MicrophoneRecording({
    devices,
    audio: () => ({ microphone: 'default', inputVolume: 1 }),
    maxSeconds,
    emit: (event) => void events.push(event),
  });
  await take.opened();
  const [microphone] = devices.microphones;
  if (microphone === undefined) throw new Error('No microphone was opened.');
  const hear = (samples: number): void => {
    for (let at = 0; at < samples; at += 320) microphone.hear(new Float32Array(320).fill(0.5));
  };
  return { take, events, microphone, hear };
}

it('a recording reports only once that it is full, and closes the microphone when it ends', async () => {
  const { take, events, microphone, hear } = await taken(2);
  hear(3 * inputRate);
  expect(events.filter(({ kind }) => kind === 'full')).toHaveLength(1);
  expect(events.at(-2)).toMatchObject({ kind: 'level', seconds: 2 });
  expect(events.at(-1)).toEqual({ kind: 'full' });
  expect(take.samples()).toEqual(new Float32Array(2 * inputRate).fill(0.5));
  await take.end();
  expect(microphone.ended).toBe(true);
});

it('a recording keeps what was captured before its end, and emits nothing afterwards', async () => {
  const { take, events, microphone, hear } = await taken(2);
  microphone.emit({ kind: 'lost', error: appError('noMicrophone') });
  hear(inputRate);
  const ended = take.end();
  const eventCount = events.length;
  hear(inputRate);
  microphone.emit({ kind: 'lost', error: appError('noMicrophone') });
  await ended;
  expect(take.samples()).toHaveLength(inputRate);
  expect([events[0]?.kind, events.length]).toEqual(['problem', eventCount]);
});
