import { expect, it } from 'vitest';
import { MicrophoneTake } from '../../../../../electron/audio/capture/microphone-take.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { VoiceRecordingEvent } from '../../../../../shared/settings/stored-voice.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';

async function taken(maxSeconds: number) {
  const devices = new FakeDevices(new FakeClock());
  const events: VoiceRecordingEvent[] = [];
  const take = new MicrophoneTake({
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

it('a take is full once, however much more is said, and lets the microphone go', async () => {
  const { take, events, microphone, hear } = await taken(2);
  hear(3 * inputRate);
  expect(events.filter(({ kind }) => kind === 'full')).toHaveLength(1);
  expect(events.at(-2)).toMatchObject({ kind: 'level', seconds: 2 });
  expect(events.at(-1)).toEqual({ kind: 'full' });
  expect(take.samples()).toEqual(new Float32Array(2 * inputRate).fill(0.5));
  await take.end();
  expect(microphone.ended).toBe(true);
});

it('a take has what was heard before it ended, and tells nothing afterwards', async () => {
  const { take, events, microphone, hear } = await taken(2);
  microphone.emit({ kind: 'lost', error: appError('noMicrophone') });
  hear(inputRate);
  const ended = take.end();
  const told = events.length;
  hear(inputRate);
  microphone.emit({ kind: 'lost', error: appError('noMicrophone') });
  await ended;
  expect(take.samples()).toHaveLength(inputRate);
  expect([events[0]?.kind, events.length]).toEqual(['problem', told]);
});
