import { expect, it } from 'vitest';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { createVoiceFolder } from '../../../../../electron/platform/files/voice-folder.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { VoiceController } from '../../../../../electron/settings/voices/voice-controller.ts';
import { VoiceLibrary } from '../../../../../electron/settings/voices/voice-library.ts';
import { appError, type Outcome } from '../../../../../shared/errors/app-error.ts';
import type { VoiceRecordingEvent } from '../../../../../shared/settings/audio-settings.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { SoundHarness } from '../../audio/devices/sound-harness.ts';
import { speech } from './speech.ts';

function value<Value>(outcome: Outcome<Value>): Value {
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
  value(
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
  const voice = value(await recording.stop());
  expect([voice.name, voice.seconds]).toEqual(['Ann', 4]);
  expect(events[0]).toEqual({ kind: 'problem', error: appError('noMicrophone') });
  expect(events.at(-1)).toMatchObject({ kind: 'level', seconds: 4 });
  // The microphone volume applies here as in a talk.
  const loudest = Math.max(...events.flatMap((one) => (one.kind === 'level' ? [one.peakDb] : [])));
  expect(loudest).toBeCloseTo(peakDb(speech(1)), 1);

  const first = value(await voices.preview(voice.id));
  await harness.pass(500);
  expect(harness.driver.speakers.at(-1)?.volume).toBe(0.5);
  const second = value(await voices.preview(voice.id));
  await first.ended;
  expect(harness.driver.opened).toBe(1);
  await voices.end();
  await second.ended;
  expect(harness.driver.opened).toBe(0);
  expect(opened).toEqual([{ name: 'Desk' }, { name: 'Headset' }, { name: 'Headset' }]);
});
