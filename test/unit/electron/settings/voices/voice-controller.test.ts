import { describe, expect, it } from 'vitest';
import {
  createVoiceHandlers,
  recordVoice,
  VoiceController,
  type VoiceHandlerDeps,
} from '../../../../../electron/settings/voices/voice-controller.ts';
import { appError, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type {
  StoredVoice,
  VoiceRecordingEvent,
} from '../../../../../shared/settings/audio-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';
import { settle, SoundHarness } from '../../audio/devices/sound-harness.ts';
import { speech } from './speech.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { createVoiceFolder } from '../../../../../electron/platform/files/voice-folder.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { VoiceLibrary } from '../../../../../electron/settings/voices/voice-library.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import { noPage } from '../../../../../shared/ipc/page.ts';
import { deferred } from '../../../../fakes/deferred.ts';

const stored: StoredVoice = { id: 'v', name: 'Ann', seconds: 1, notes: [], createdAt: '' };

async function startRecording(volume = 1) {
  const events: VoiceRecordingEvent[] = [];
  const takes: { readonly name: string; readonly sound: Float32Array }[] = [];
  let ends = 0;
  const devices = new FakeDevices(new FakeClock());
  const voice = await recordVoice('Ann', {
    emit: (one) => events.push(one),
    library: {
      keep: (name, sound): Promise<Outcome<StoredVoice>> => {
        takes.push({ name, sound: sound.slice() });
        return Promise.resolve({ ok: true, value: stored });
      },
    },
    audio: () => ({ microphone: 'default', inputVolume: volume }),
    devices: {
      openMicrophone: async (...wanted) => {
        await devices.openMicrophone(...wanted);
        return {
          end: () => {
            ends += 1;
            return Promise.resolve();
          },
        };
      },
    },
  });
  const [microphone] = devices.microphones;
  if (microphone === undefined) throw new Error('No microphone was opened.');
  return {
    ...voice,
    takes,
    ends: () => ends,
    kinds: () => [...new Set(events.map(({ kind }) => kind))],
    events,
    lose: () => {
      microphone.emit({ kind: 'lost', error: appError('noMicrophone') });
    },
    /** Pushes sound in blocks like a microphone. */
    say: (sound: Float32Array) => {
      for (let at = 0; at < sound.length; at += 320) microphone.hear(sound.slice(at, at + 320));
    },
  };
}

describe('a voice recording', () => {
  it('is stored once, with the sound until the stop', async () => {
    const { say, stop, takes, ends, kinds, events } = await startRecording();
    say(speech(4));
    const [first, second] = await Promise.all([stop(), stop()]);
    say(speech(1));
    expect([first, second]).toEqual([{ ok: true, value: stored }, first]);
    expect([takes.length, takes[0]?.name, ends()]).toEqual([1, 'Ann', 1]);
    expect(takes[0]?.sound).toEqual(speech(4));
    expect(kinds()).toEqual(['level']);
    expect(events.at(-1)).toMatchObject({ kind: 'level', clipped: 0 });
    expect(events).toHaveLength(80);
  });

  it('has the volume of the microphone setting', async () => {
    const { say, stop, takes } = await startRecording(0.5);
    say(speech(4));
    await stop();
    const loudest = (sound: Float32Array) =>
      sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    expect(loudest(takes[0]?.sound ?? new Float32Array())).toBeCloseTo(loudest(speech(4)) / 2, 6);
  });

  it('stops at the maximum length, and is stored at the stop', async () => {
    const { say, stop, takes, ends, events } = await startRecording();
    say(speech(21));
    await settle();
    expect(events.filter(({ kind }) => kind === 'full')).toHaveLength(1);
    expect([takes.length, ends()]).toEqual([0, 1]);
    await stop();
    expect(takes[0]?.sound).toHaveLength(20 * inputRate);
    expect(ends()).toBe(1);
  });

  it('is not stored after a cancel, even with a later stop', async () => {
    const { say, stop, cancel, takes, ends } = await startRecording();
    say(speech(4));
    await cancel();
    await cancel();
    expect((await stop()).ok).toBe(false);
    expect([takes.length, ends()]).toEqual([0, 1]);
  });

  it('emits a problem when the microphone is lost, until the stop', async () => {
    const { lose, events, stop } = await startRecording();
    lose();
    expect(events).toEqual([{ kind: 'problem', error: appError('noMicrophone') }]);
    await stop();
    lose();
    expect(events).toHaveLength(1);
  });
});

function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

const peakDb = (sound: Float32Array): number =>
  20 * Math.log10(sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0));

it('a voice is recorded and played on the devices of the settings', async () => {
  const harness = new SoundHarness();
  const settings = new SettingsStore({ file: new FakeStateFile(), clock: harness.clock });
  const opened: unknown[] = [];
  const devices = new FakeDevices(harness.clock);
  const library = new VoiceLibrary({
    store: createVoiceFolder(`${workFolder()('state')}/voices`),
    random: seeded(5),
    soundFromWav,
  });
  const voices = new VoiceController({
    settings,
    library,
    clock: harness.clock,
    devices: {
      createSpeaker: devices.createSpeaker,
      openMicrophone: (choice, sink, options) => {
        opened.push(choice);
        options.emit({ kind: 'using', device: 'Headset' });
        options.emit({ kind: 'lost', error: appError('noMicrophone') });
        return devices.openMicrophone(choice, sink, options);
      },
      openSpeaker: (choice) => {
        opened.push(choice);
        return harness.speaker(choice);
      },
    },
  });
  unwrap(
    settings.change({
      audio: {
        microphone: { name: 'Desk' },
        speaker: { name: 'Headset' },
        playbackVolume: 0.5,
        inputVolume: 2,
      },
    }),
  );

  const events: VoiceRecordingEvent[] = [];
  const recording = await voices.record('Ann', (one) => events.push(one));
  const quiet = speech(1).map((sample) => sample / 2);
  // In blocks like a microphone.
  for (let second = 0; second < 4; second += 1)
    for (let at = 0; at < quiet.length; at += 320)
      devices.microphones[0]?.hear(quiet.slice(at, at + 320));
  const voice = unwrap(await recording.stop());
  expect([voice.name, voice.seconds]).toEqual(['Ann', 4]);
  expect(events[0]).toEqual({ kind: 'problem', error: appError('noMicrophone') });
  expect(events.at(-1)).toMatchObject({ kind: 'level', seconds: 4 });
  // The microphone volume applies here as in a talk.
  const loudest = Math.max(...events.flatMap((one) => (one.kind === 'level' ? [one.peakDb] : [])));
  expect(loudest).toBeCloseTo(peakDb(speech(1)), 1);

  const first = unwrap(await voices.preview(voice.id));
  await harness.pass(500);
  expect(harness.driver.speakers.at(-1)?.volume).toBe(0.5);
  const second = unwrap(await voices.preview(voice.id));
  await first.ended;
  expect(harness.driver.opened).toBe(1);
  await voices.end();
  await second.ended;
  expect(harness.driver.opened).toBe(0);
  expect(opened).toEqual([{ name: 'Desk' }, { name: 'Headset' }, { name: 'Headset' }]);
});

const unexpectedCall = () => {
  throw new Error('This test does not expect this call.');
};

describe('removing two voices', () => {
  it('posts the final list last, even if the first list takes longer', async () => {
    const storedIds = new Set(['a', 'b']);
    const slow = deferred();
    let lists = 0;
    const voices: VoiceHandlerDeps['library'] & VoiceHandlerDeps['voices'] = {
      list: async () => {
        const found = [...storedIds].map((id) => ({
          id,
          name: id,
          seconds: 4,
          notes: [],
          createdAt: '',
        }));
        lists += 1;
        if (lists === 1) await slow.promise;
        return { ok: true, value: found };
      },
      remove: (id) => {
        storedIds.delete(id);
        return Promise.resolve({ ok: true, value: undefined });
      },
      importBytes: unexpectedCall,
      rename: unexpectedCall,
      record: unexpectedCall,
      preview: unexpectedCall,
    };
    const notices: unknown[] = [];
    const handlers = createVoiceHandlers({
      library: voices,
      voices,
      lock: new DeviceLock(),
      post: (name, payload) => {
        if (name === 'voicesChanged') notices.push(payload);
      },
    });
    const removing = Promise.all([
      handlers.removeVoice({ id: 'a' }, noPage),
      Promise.resolve().then(() => handlers.removeVoice({ id: 'b' }, noPage)),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    await removing;
    expect(notices.at(-1)).toEqual([]);
  });
});
