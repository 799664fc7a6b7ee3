import { expect, it } from 'vitest';
import { MicrophoneRecording } from '../../../../../electron/audio/capture/microphone-recording.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { VoiceRecordingEvent } from '../../../../../shared/settings/audio-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';

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

it('a recording reports once that it is full, and closes the microphone', async () => {
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
