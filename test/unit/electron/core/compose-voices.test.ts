import { appError } from '../../../../shared/errors/app-error.ts';
import { expect, it } from 'vitest';
import { createFiles } from '../../../../electron/adapters/files/file-storage.ts';
import type { Microphone } from '../../../../electron/sound/devices/microphone.ts';
import { composeVoices } from '../../../../electron/core/compose-voices.ts';
import type { Outcome } from '../../../../electron/ports/outcome.ts';
import { createSettingsStore } from '../../../../electron/settings/settings-store.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import type { VoiceRecordingEvent } from '../../../../shared/voices/stored-voice.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { SoundStage } from '../sound/devices/sound-stage.ts';
import { speech } from '../sound/voices/speech.ts';

function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

it('a voice is recorded and played by the devices that are set', async () => {
  const stage = new SoundStage();
  const lifetime = new Lifetime('voices under test');
  const settings = createSettingsStore({ file: new FakeStateFile(), clock: stage.clock });
  const opened: unknown[] = [];
  let hear = (_block: Float32Array): void => undefined;
  const { voices } = composeVoices({
    settings,
    folder: workFolder()('state'),
    clock: stage.clock,
    files: createFiles(),
    random: seeded(5),
    lifetime,
    openMicrophone: (choice, hears, emit) => {
      opened.push(choice);
      hear = hears;
      emit({ kind: 'using', device: 'Headset' });
      emit({ kind: 'lost', error: appError('noMicrophone') });
      return Promise.resolve({ end: () => Promise.resolve() } as Microphone);
    },
    openSpeaker: (choice) => {
      opened.push(choice);
      return stage.speaker(choice);
    },
  });
  value(
    settings.change({
      audio: { microphone: { name: 'Desk' }, speaker: { name: 'Headset' }, playbackVolume: 0.5 },
    }),
  );

  const news: VoiceRecordingEvent[] = [];
  const recording = await voices.record('Ann', (one) => news.push(one));
  for (let second = 0; second < 4; second += 1) hear(speech(1));
  const voice = value(await recording.stop());
  expect([voice.name, voice.seconds]).toEqual(['Ann', 4]);
  expect(news[0]).toEqual({ kind: 'problem', error: appError('noMicrophone') });
  expect(news.at(-1)).toMatchObject({ kind: 'level', seconds: 3 });

  const first = value(await voices.preview(voice.id));
  await stage.pass(500);
  expect(stage.driver.speakers.at(-1)?.volume).toBe(0.5);
  const second = value(await voices.preview(voice.id));
  await first.ended;
  expect(stage.driver.opened).toBe(1);
  await lifetime.end();
  await second.ended;
  expect(stage.driver.opened).toBe(0);
  expect(opened).toEqual([{ name: 'Desk' }, { name: 'Headset' }, { name: 'Headset' }]);
});
