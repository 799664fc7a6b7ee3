import { describe, expect, it } from 'vitest';
import { recordVoice } from '../../../../../electron/settings/voices/voice-controller.ts';
import { appError, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type {
  StoredVoice,
  VoiceRecordingEvent,
} from '../../../../../shared/settings/audio-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../fakes/fake-devices.ts';
import { settle } from '../../audio/devices/sound-harness.ts';
import { speech } from './speech.ts';

const stored: StoredVoice = { id: 'v', name: 'Ann', seconds: 1, notes: [], createdAt: '' };

async function recording(volume = 1) {
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
  it('stores once what was said until the stop', async () => {
    const { say, stop, takes, ends, kinds, events } = await recording();
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

  it('applies the microphone’s volume', async () => {
    const { say, stop, takes } = await recording(0.5);
    say(speech(4));
    await stop();
    const loudest = (sound: Float32Array) =>
      sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    expect(loudest(takes[0]?.sound ?? new Float32Array())).toBeCloseTo(loudest(speech(4)) / 2, 6);
  });

  it('stops at the maximum length and waits to be stored', async () => {
    const { say, stop, takes, ends, events } = await recording();
    say(speech(21));
    await settle();
    expect(events.filter(({ kind }) => kind === 'full')).toHaveLength(1);
    expect([takes.length, ends()]).toEqual([0, 1]);
    await stop();
    expect(takes[0]?.sound).toHaveLength(20 * inputRate);
    expect(ends()).toBe(1);
  });

  it('stores nothing after a cancel, even with a later stop', async () => {
    const { say, stop, cancel, takes, ends } = await recording();
    say(speech(4));
    await cancel();
    await cancel();
    expect((await stop()).ok).toBe(false);
    expect([takes.length, ends()]).toEqual([0, 1]);
  });

  it('emits a problem when the microphone is gone', async () => {
    const { lose, events, stop } = await recording();
    lose();
    expect(events).toEqual([{ kind: 'problem', error: appError('noMicrophone') }]);
    await stop();
    lose();
    expect(events).toHaveLength(1);
  });
});
