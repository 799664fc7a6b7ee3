import { flushPromises, deferred } from '../../../fakes/promises.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeviceEvent } from '../../../../electron/audio/devices/stream-supervisor.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import {
  type TalkDeviceUser,
  TalkSoundDevices,
  ComputerSound,
  ComputerSoundMix,
  withDefaultDevices,
} from '../../../../electron/talk/talk-sound-devices.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import type { TalkLevel, ComputerSoundState } from '../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { ManualDevices, TalkControllerHarness } from './talk-controller-harness.ts';
import type { AudioSink } from '../../../../electron/audio/capture/microphone.ts';
import { ConversationHarness } from './conversation-harness.ts';

describe('the devices', () => {
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
    it('pass on sound at the set volume, with its level', async () => {
      devices = open({ ...audio, inputVolume: 2 });
      await wake();
      manual.microphone.hear(new Float32Array(800).fill(0.25));
      expect(heard).toHaveLength(800);
      expect(heard[0]).toBe(0.5);
      expect(levels.map(({ who, peakDb }) => [who, Math.round(peakDb)])).toEqual([['you', -6]]);
      devices.played(new Float32Array(1200).fill(0.5));
      expect(levels.at(-1)?.who).toBe('parley');
      expect(devices.microphone.latencyMs()).toBe(30);
    });

    it('close the microphone at once, and the speaker after everything has been heard', async () => {
      await wake();
      devices.speaker.write(second());
      await devices.closeWhenHeard();
      expect(manual.open).toEqual([1, 0]);
      clock.advance(2000);
      await flushPromises();
      expect(manual.open).toEqual([1, 0]);
      // The device has all samples, but still plays the last ones.
      manual.speaker.plays(24_000, 20_000);
      clock.advance(2000);
      await flushPromises();
      expect(manual.open).toEqual([1, 0]);
      manual.speaker.plays(0, 4000);
      clock.advance(500);
      await flushPromises();
      expect(manual.open).toEqual([0, 0]);
      expect(devices.speaker.heard()).toBe(24_000);
    });

    it('count heard samples across speaker streams', async () => {
      await wake();
      devices.speaker.write(second());
      manual.speaker.plays(24_000);
      await devices.closeWhenHeard();
      clock.advance(500);
      await flushPromises();
      await wake();
      expect(manual.speakers).toHaveLength(2);
      devices.speaker.write(second());
      manual.speaker.plays(1000);
      expect(devices.speaker.heard()).toBe(25_000);
      expect(devices.speaker.queued()).toBe(23_000);
      expect(devices.speaker.flush()).toMatchObject({ heard: 25_000, dropped: 23_000 });
      await devices.closeWhenHeard();
      clock.advance(500);
      await flushPromises();
      expect(manual.open).toEqual([0, 0]);
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
      await flushPromises();
      expect(manual.speaker.queued).toBe(24_000);
      expect(devices.speaker.queued()).toBe(24_000);
      expect(manual.speaker.volume).toBe(0.2);
    });

    it('switch to devices chosen while they were opening', async () => {
      const opening = deferred();
      manual.ready = opening.promise;
      void wake();
      await flushPromises();
      devices.applySettings({
        ...audio,
        speaker: { name: 'Headset' },
        microphone: { name: 'Studio' },
      });
      opening.resolve();
      await flushPromises();
      expect(manual.sounds.chosen.at(-1)).toEqual({ name: 'Headset' });
      expect(manual.open).toEqual([1, 1]);
      expect(manual.microphone.choice).toEqual({ name: 'Studio' });
    });

    it('discard flushed sound written before the speaker was open', async () => {
      devices.speaker.write(second());
      expect(devices.speaker.flush()).toMatchObject({ heard: 0, dropped: 24_000 });
      await wake();
      expect(manual.speaker.queued).toBe(0);
    });

    it('follow the settings, changing only what differs', async () => {
      await wake();
      const choose = vi.spyOn(manual.microphone, 'choose');
      devices.applySettings({ ...audio, playbackVolume: 0.5 });
      devices.applySettings({ ...audio, playbackVolume: 0.5, speaker: { name: 'Headset' } });
      devices.applySettings({ ...audio, playbackVolume: 0.5, speaker: { name: 'Headset' } });
      devices.applySettings({
        ...audio,
        speaker: { name: 'Headset' },
        microphone: { name: 'Headset' },
      });
      expect(manual.speaker.volume).toBe(0.5);
      await flushPromises();
      expect(manual.sounds.chosen).toEqual(['default', { name: 'Headset' }]);
      expect(choose).toHaveBeenCalledExactlyOnceWith({ name: 'Headset' });
      expect([manual.open, manual.speaker.volume]).toEqual([[1, 1], 1]);
    });

    it('are closed even if one of them could not be opened', async () => {
      await wake();
      await devices.closeWhenHeard();
      manual.ready = Promise.reject(new Error('This is not a device.'));
      await expect(wake()).rejects.toThrow('not a device');
      await devices.end();
      expect(manual.open).toEqual([0, 0]);
    });
  });
});

describe('the computer’s sound', () => {
  /** The receivers of the opened streams of computer sound, oldest first. */
  let sinks: AudioSink[];
  let emit: (event: DeviceEvent) => void;
  let open: number;
  let states: ComputerSoundState['kind'][];
  let sound: ComputerSound;

  beforeEach(() => {
    [sinks, open, states] = [[], 0, []];
    sound = new ComputerSound({
      open: (sink, onEvent) => {
        sinks.push(sink);
        emit = onEvent;
        open += 1;
        onEvent({ kind: 'using', device: 'this computer' });
        return Promise.resolve({
          end: () => {
            open -= 1;
            return Promise.resolve();
          },
        });
      },
      volume: () => 1,
      onStateChange: ({ kind }) => states.push(kind),
    });
  });

  const part = (): Float32Array => new Float32Array(320).fill(0.1);

  describe('hearing the computer in a talk', () => {
    it('is off until the user turns it on', async () => {
      await sound.admit(true);
      expect(open).toBe(0);
      expect(sound.state).toEqual({ kind: 'off' });
    });

    it('adds the computer’s sound while it is on, and closes its stream when it is turned off', async () => {
      await sound.admit(true);
      await sound.turn(true);
      for (let n = 0; n < 4; n += 1) sinks[0]?.pushAudio(new Float32Array(320).fill(0.5));
      expect(sound.addTo(part(), false).at(-1)).toBeGreaterThan(0.4);
      await sound.turn(false);
      expect(open).toBe(0);
      expect(sound.addTo(part(), false)).toEqual(part());
      expect(states).toEqual(['opening', 'on', 'off']);
    });

    it('is closed while the talk waits in a queue, and opens again with the microphone', async () => {
      await sound.admit(true);
      await sound.turn(true);
      await sound.admit(false);
      expect(open).toBe(0);
      await sound.admit(true);
      expect(open).toBe(1);
      expect(sound.state).toEqual({ kind: 'on' });
    });

    it('is reported as lost, and as on again after its return', async () => {
      await sound.admit(true);
      await sound.turn(true);
      emit({ kind: 'lost', error: appError('computerSoundFailed') });
      expect(sound.state).toMatchObject({ kind: 'lost', error: { code: 'computerSoundFailed' } });
      emit({ kind: 'using', device: 'this computer' });
      expect(sound.state).toEqual({ kind: 'on' });
    });

    it('is off after quick switching that ends with off', async () => {
      await sound.admit(true);
      await Promise.all([sound.turn(true), sound.turn(false), sound.turn(true), sound.turn(false)]);
      expect(open).toBe(0);
      expect(sound.state).toEqual({ kind: 'off' });
    });

    it('is unsupported where the system cannot capture what it plays', async () => {
      const none = new ComputerSound({
        open: undefined,
        volume: () => 1,
        onStateChange: () => undefined,
      });
      await none.turn(true);
      expect(none.state).toEqual({ kind: 'unsupported' });
    });
  });

  describe('the mix of microphone and computer sound', () => {
    const block = (value: number, samples = 320): Float32Array =>
      new Float32Array(samples).fill(value);
    const last = (samples: Float32Array): number | undefined => samples.at(-1);

    let volume: number;
    let mix: ComputerSoundMix;

    beforeEach(() => {
      volume = 1;
      mix = new ComputerSoundMix(() => volume);
    });

    function play(blocks: number, value = 0.5): void {
      for (let n = 0; n < blocks; n += 1) mix.pushAudio(block(value));
    }

    /** Mixes 20 ms at a time as long as the computer plays. */
    function mixWhilePlaying(blocks: number, part: number, userSpeaks = false): Float32Array {
      let mixed = block(part);
      for (let n = 0; n < blocks; n += 1) {
        mix.pushAudio(block(0.5));
        mixed = mix.mix(block(part), userSpeaks);
      }
      return mixed;
    }

    it('leaves the microphone’s sound unchanged until 60 ms of computer sound wait, so that late blocks make no gap', () => {
      play(2);
      expect(mix.mix(block(0.2), false)).toEqual(block(0.2));
      play(1);
      expect(last(mix.mix(block(0.2), false))).toBeGreaterThan(0.2);
    });

    it('does not write into the microphone’s block, which may be a shared silence', () => {
      play(4);
      const silence = block(0);
      mix.mix(silence, false);
      expect(silence).toEqual(block(0));
    });

    it('plays the computer’s sound a quarter as loud while the user speaks, and changes the level without a click', () => {
      mixWhilePlaying(10, 0);
      mix.pushAudio(block(0.5));
      const ducking = mix.mix(block(0), true);
      const steps = ducking.slice(1).map((sample, n) => Math.abs(sample - (ducking[n] ?? 0)));
      expect(Math.max(...steps)).toBeLessThan(0.01);
      expect(last(mixWhilePlaying(3, 0, true))).toBeCloseTo(0.125);
    });

    it('waits at most a quarter of a second, although the computer’s clock is faster', () => {
      play(60, 0.1);
      play(3, 0.5);
      const first = mix.mix(block(0, 3200), false);
      // The newest block comes within 60 ms.
      expect(first[950]).toBeCloseTo(0.5);
    });
  });

  describe('a talk that hears the computer', () => {
    const withFilm = {
      addComputerSound: (part: Float32Array) => part.map((sample) => sample + 0.5),
    };

    it('sends the computer’s sound mixed with the microphone’s', () => {
      const harness = new ConversationHarness({}, withFilm).live().pass(100, 0.25);
      expect(new Set(harness.session.heard.slice(-320))).toEqual(new Set([0.75]));
    });

    it('sends the computer’s sound while the user is muted', () => {
      const harness = new ConversationHarness({ muted: true }, withFilm).live().pass(100, 0.25);
      expect(new Set(harness.session.heard)).toEqual(new Set([0.5]));
    });

    it('does not mistake a voice in a film for the user’s', () => {
      const users: boolean[] = [];
      const addComputerSound = (part: Float32Array, userSpeaks: boolean): Float32Array => {
        users.push(userSpeaks);
        return part.map((_, n) => Math.sin(n / 10));
      };
      new ConversationHarness({}, { addComputerSound }).live().pass(2000, 0);
      expect(new Set(users)).toEqual(new Set([false]));
    });
  });
});

it('a safe start replaces only the devices that were chosen before, until the user chooses others', async () => {
  const [desk, headset] = [{ name: 'Desk' }, { name: 'Headset' }];
  const { settings } = new TalkControllerHarness();
  settings.change({ audio: { microphone: desk, speaker: desk } });
  const harness = new TalkControllerHarness({ settings: withDefaultDevices(settings) });
  await harness.live();
  settings.change({ talking: { mode: 'hold' }, audio: { playbackVolume: 0.5 } });
  await flushPromises();
  expect(harness.devices.chosen).toEqual(['speaker default', 'microphone default']);
  for (const speaker of [headset, desk]) {
    settings.change({ audio: { speaker } });
    await flushPromises();
  }
  expect(harness.devices.chosen.slice(0, -1)).toEqual(
    ['default', 'Headset', 'Desk'].map((name) => `speaker ${name}`),
  );
});
