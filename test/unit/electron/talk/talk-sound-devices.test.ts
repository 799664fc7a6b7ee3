import { beforeEach, describe, expect, it } from 'vitest';
import {
  type TalkDeviceUser,
  TalkSoundDevices,
} from '../../../../electron/talk/talk-sound-devices.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import type { TalkLevel } from '../../../../shared/talk/talk-view.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { ManualDevices, settled } from './manual-devices.ts';

const { audio } = defaultSettings;
const second = (): Float32Array => new Float32Array(24_000).fill(0.5);

let clock: FakeClock;
let manual: ManualDevices;
let heard: number[];
let levels: TalkLevel[];
let deviceEvents: string[];
let devices: TalkSoundDevices;

const talk: TalkDeviceUser = {
  pushAudio: (block) => {
    heard.push(...block);
  },
  onDeviceEvent: (use, event) => {
    deviceEvents.push(`${use} ${event.kind}`);
  },
};

function open(settings = audio): TalkSoundDevices {
  return new TalkSoundDevices(
    settings,
    manual,
    (level) => {
      levels.push(level);
    },
    () => undefined,
  );
}

const wake = () => Promise.all([devices.openSpeaker(talk), devices.openMicrophone(talk)]);

beforeEach(() => {
  clock = new FakeClock();
  manual = new ManualDevices(clock);
  heard = [];
  levels = [];
  deviceEvents = [];
  devices = open();
});

describe('the sound devices of a talk', () => {
  it('open once, even if opened repeatedly', async () => {
    await Promise.all([wake(), wake()]);
    await wake();
    expect(manual.chosen).toEqual(['speaker default', 'microphone default']);
    manual.sounds.eventListeners[0]?.({ kind: 'lost', error: appError('noMicrophone') });
    manual.microphone.emit({ kind: 'using', device: 'Built-in' });
    expect(deviceEvents).toEqual(['speaker using', 'speaker lost', 'microphone using']);
  });

  it('pass on sound at the set volume, with its level', async () => {
    devices = open({ ...audio, inputVolume: 2 });
    await wake();
    manual.microphone.hear(new Float32Array(800).fill(0.25));
    expect(heard).toHaveLength(800);
    expect(heard[0]).toBe(0.5);
    expect(levels.map(({ who, peakDb }) => [who, Math.round(peakDb)])).toEqual([['you', -6]]);
    devices.played(new Float32Array(1200).fill(0.5));
    expect(levels.at(-1)?.who).toBe('parley');
    expect(devices.microphone.latencyMs()).toBe(12);
  });

  it('close the microphone at once, and the speaker when all was heard', async () => {
    await wake();
    devices.speaker.write(second());
    await devices.closeWhenHeard();
    expect(manual.open).toEqual([1, 0]);
    clock.advance(2000);
    await settled();
    expect(manual.open).toEqual([1, 0]);
    // The device has all samples, but still plays the last ones.
    manual.speaker.plays(24_000, 20_000);
    clock.advance(2000);
    await settled();
    expect(manual.open).toEqual([1, 0]);
    manual.speaker.plays(0, 4000);
    clock.advance(500);
    await settled();
    expect(manual.open).toEqual([0, 0]);
    expect(devices.speaker.heard()).toBe(24_000);
  });

  it('count heard samples across speaker streams', async () => {
    await wake();
    devices.speaker.write(second());
    manual.speaker.plays(24_000);
    await devices.closeWhenHeard();
    clock.advance(500);
    await settled();
    await wake();
    expect(manual.speakers).toHaveLength(2);
    devices.speaker.write(second());
    manual.speaker.plays(1000);
    expect(devices.speaker.heard()).toBe(25_000);
    expect(devices.speaker.queued()).toBe(23_000);
    expect(devices.speaker.flush()).toMatchObject({ heard: 25_000, dropped: 23_000 });
    await devices.closeWhenHeard();
    clock.advance(500);
    await settled();
    expect(manual.open).toEqual([0, 0]);
  });

  it('stay open if they are opened again right after closing', async () => {
    await wake();
    void devices.closeWhenHeard();
    await wake();
    clock.advance(5000);
    await settled();
    expect(manual.open).toEqual([1, 1]);
  });

  it('play sound written before the speaker was open', async () => {
    const opening = deferred();
    manual.ready = opening.promise;
    void wake();
    devices.speaker.setDuckGain(0.2);
    devices.speaker.write(second());
    expect(devices.speaker.queued()).toBe(24_000);
    expect(devices.speaker.heard()).toBe(0);
    opening.resolve();
    await settled();
    expect(manual.speaker.queued).toBe(24_000);
    expect(devices.speaker.queued()).toBe(24_000);
    expect(manual.speaker.volume).toBe(0.2);
  });

  it('discard flushed sound written before the speaker was open', async () => {
    devices.speaker.write(second());
    expect(devices.speaker.flush()).toMatchObject({ heard: 0, dropped: 24_000 });
    await wake();
    expect(manual.speaker.queued).toBe(0);
  });

  it('follow the settings, changing only what differs', async () => {
    await wake();
    devices.applySettings({ ...audio, playbackVolume: 0.5 });
    devices.applySettings({ ...audio, playbackVolume: 0.5, speaker: { name: 'Headset' } });
    devices.applySettings({ ...audio, playbackVolume: 0.5, speaker: { name: 'Headset' } });
    devices.applySettings({
      ...audio,
      speaker: { name: 'Headset' },
      microphone: { name: 'Headset' },
    });
    const chosen = (calls: readonly string[]) => calls.filter((call) => call.startsWith('choose'));
    expect(manual.speaker.volume).toBe(0.5);
    await settled();
    expect(manual.sounds.chosen).toEqual(['default', { name: 'Headset' }]);
    expect(chosen(manual.microphone.calls)).toEqual(['choose Headset']);
    expect([manual.open, manual.speaker.volume]).toEqual([[1, 1], 1]);
  });

  it('switch to devices chosen while they were opening', async () => {
    const opening = deferred();
    manual.ready = opening.promise;
    void wake();
    await settled();
    devices.applySettings({
      ...audio,
      speaker: { name: 'Headset' },
      microphone: { name: 'Studio' },
    });
    opening.resolve();
    await settled();
    expect(manual.sounds.chosen.at(-1)).toEqual({ name: 'Headset' });
    expect(manual.open).toEqual([1, 1]);
    expect(manual.microphone.calls).toContain('choose Studio');
  });

  it('are closed although one could not be opened', async () => {
    await wake();
    await devices.closeWhenHeard();
    manual.ready = Promise.reject(new Error('This is not a device.'));
    await expect(wake()).rejects.toThrow('not a device');
    await devices.end();
    expect(manual.open).toEqual([0, 0]);
  });
});
