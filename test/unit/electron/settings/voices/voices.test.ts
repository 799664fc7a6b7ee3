import { describe, expect, it } from 'vitest';
import {
  recordVoice,
  VoiceController,
} from '../../../../../electron/settings/voices/voice-controller.ts';
import { appError, failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';
import { settle, SoundHarness } from '../../audio/devices/sound-harness.ts';
import { click, joined, room, speech } from './speech.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { createVoiceFolder } from '../../../../../electron/platform/files/voice-folder.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import {
  prepareVoice,
  readVoiceName,
  uniqueVoiceName,
  VoiceLibrary,
  type PreparedVoice,
} from '../../../../../electron/settings/voices/voice-library.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';
import type {
  StoredVoice,
  VoiceRecordingEvent,
} from '../../../../../shared/settings/audio-settings.ts';

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
  it('is stored once, with the sound up to the stop', async () => {
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
    expect(await stop()).toEqual(failure('notRecording'));
    expect([takes.length, ends()]).toEqual([0, 1]);
  });

  it('reports a lost microphone, but not after the stop', async () => {
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

it('a voice is recorded and played on the devices chosen in the settings', async () => {
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
  // Sends the sound in blocks, as a microphone does.
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

  unwrap(settings.change({ voices: { model: voice.id, speech: 'gone' } }));
  const { voice: sent, ...others } = unwrap(await voices.sessionSettings('en'));
  expect([sent?.model?.length, sent?.speech, others.maxSlices]).toEqual([64_000, undefined, 1]);
  const [missing] = voices.missingVoiceErrors();
  expect(missing).toMatchObject({ code: 'voiceStandsIn', cause: { code: 'voiceGone' } });
  unwrap(settings.change({ voices: { speech: 'none' } }));
  expect(unwrap(await voices.sessionSettings('zh')).instructions).toMatch(/\p{Script=Han}/u);
  expect(voices.missingVoiceErrors()).toEqual([]);

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

function prepare(...parts: readonly Float32Array[]): PreparedVoice {
  const outcome = prepareVoice(joined(...parts));
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

/** A few peaks touch full scale. */
const touchingSpeech = speech(5, 0.9).map((sample, n) => (n % 16_000 === 900 ? 1 : sample));
const clippedSpeech = speech(5, 3).map((sample) => Math.max(-1, Math.min(1, sample)));

const durationSeconds = ({ samples }: PreparedVoice): number => samples.length / inputRate;

describe('a reference voice', () => {
  it('leaves out the clicks of the mouse button that started and stopped the recording', () => {
    const voice = prepare(room(0.5), click(), room(2), speech(4), room(2), click(), room(0.5));
    // The voice keeps 150 ms of the room before and after the speech.
    expect(durationSeconds(voice)).toBeCloseTo(4.32, 4);
  });

  it('keeps speech up to the very end', () => {
    expect(durationSeconds(prepare(speech(4)))).toBe(4);
    expect(prepare(speech(4), new Float32Array(100)).samples).toHaveLength(64_100);
  });

  it('ends in a pause before the limit, without a click, and has the note `cut`', () => {
    const voice = prepare(speech(12.5), room(0.4), speech(20));
    expect(durationSeconds(voice)).toBeCloseTo(12.82, 4);
    expect([voice.samples.at(-1) === 0, voice.notes]).toEqual([true, ['cut']]);
  });

  it('ends at the limit if there is no pause', () => {
    const voice = prepare(new Float32Array(40 * inputRate).fill(0.2));
    expect(durationSeconds(voice)).toBeCloseTo(14.92, 4);
    const fading = Float32Array.from(
      { length: 162 },
      (_, n) => (Math.fround(0.2) * Math.min(160, 161 - n)) / 160,
    );
    expect(voice.samples.slice(-162)).toEqual(fading);
  });

  it.each([
    ['far away', speech(5, 0.01), ['quiet']],
    ['of normal loudness', speech(5, 0.1), []],
    ['at full scale', touchingSpeech, []],
    ['too loud', clippedSpeech, ['clipped']],
  ])('is judged by its level if it is %s', (_how, sound, notes) => {
    expect(prepare(room(1), sound, room(1)).notes).toEqual(notes);
  });
});

describe('an invalid reference voice', () => {
  it.each([
    ['empty', new Float32Array()],
    ['silence', new Float32Array(10 * inputRate)],
    ['an empty room', room(10)],
    ['a click in it', joined(room(5), click(), room(5))],
  ])('is refused if it is %s', (_what, sound) => {
    expect(prepareVoice(sound)).toEqual(failure('voiceUnheard'));
  });

  it('is refused if it has too little speech, and the error gives the seconds found', () => {
    expect(prepareVoice(joined(room(20), speech(2), room(20)))).toEqual(
      failure('voiceShort', { seconds: 2.3, least: 3 }),
    );
  });
});

describe('readVoiceName', () => {
  it.each([
    ['我的声音', '我的声音'],
    ['Zoë'.normalize('NFD'), 'Zoë'.normalize('NFC')],
    ['x'.repeat(60), 'x'.repeat(60)],
  ])('reads %j as %j', (text, name) => {
    expect(readVoiceName(text, [])).toEqual({ ok: true, value: name });
  });

  it.each([
    ['   ', 'needs a name'],
    ['x'.repeat(61), '60 characters'],
    ['a\u0000b', 'cannot be shown'],
    ['a\u202eb', 'cannot be shown'],
    ['ANN', 'called “ANN” already'],
  ])('refuses %j', (text, problem) => {
    const read = readVoiceName(text, ['Ann']);
    expect(read.ok ? '' : englishErrorMessage(read.error)).toContain(problem);
  });

  it.each([
    ['Take', 'Take'],
    ['ann', 'ann 3'],
    ['', 'Voice'],
    ['\u0000\n', 'Voice'],
    [' My \u0000\t own\nvoice', 'My own voice'],
    ['y'.repeat(500), 'y'.repeat(56)],
  ])('accepts the unique name that is generated from %j', (text, name) => {
    const taken = ['Ann', 'ANN 2'];
    expect(uniqueVoiceName(text, taken)).toBe(name);
    expect(readVoiceName(uniqueVoiceName(text, taken), taken).ok).toBe(true);
  });
});
