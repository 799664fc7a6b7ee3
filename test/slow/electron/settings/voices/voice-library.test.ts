import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { VoiceLibrary } from '../../../../../electron/settings/voices/voice-library.ts';
import { encodeWav, encodeWavHeader } from '../../../../../shared/audio/wav.ts';
import { failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { StoredVoice } from '../../../../../shared/settings/audio-settings.ts';
import { fakeVoices } from '../../../../fakes/fake-stores.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { room, speech } from '../../../../unit/electron/settings/voices/speech.ts';

function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

function scene() {
  const library = new VoiceLibrary({
    store: fakeVoices(),
    random: seeded(3),
    soundFromWav,
  });
  return { library };
}

const pcm = { rate: inputRate, channels: 1, coding: 'pcm16' } as const;

/** Stereo at 48 kHz, so everything needs conversion. */
function stereo(seconds: number): Uint8Array {
  const mono = speech((seconds * 48_000) / inputRate);
  const both = Float32Array.from({ length: mono.length * 2 }, (_, n) => mono[n >> 1] ?? 0);
  return encodeWav(both, { rate: 48_000, channels: 2, coding: 'pcm16' });
}

describe('voices', () => {
  it('are made from a recording and returned unchanged', async () => {
    const { library } = scene();
    const voice = value(await library.keep('Ann', speech(5)));
    expect(voice).toMatchObject({ name: 'Ann', seconds: 5, notes: [] });
    const [sound, spoken] = [value(await library.sound(voice.id)), speech(5)];
    expect(sound).toHaveLength(spoken.length);
    expect(sound.every((sample, n) => Math.abs(sample - (spoken[n] ?? 0)) < 1e-4)).toBe(true);
    expect(value(await library.list())).toEqual([voice]);
  });

  it('are imported from a WAV file of another rate and channel count, under a unique name', async () => {
    const { library } = scene();
    const voice = value(await library.importBytes('Ann at work', stereo(6)));
    expect(voice).toMatchObject({ name: 'Ann at work', seconds: 6 });
    expect(value(await library.sound(voice.id)).length / inputRate).toBeCloseTo(6, 1);
    const again = value(await library.importBytes('ann at work', stereo(6)));
    expect([again.name, again.id === voice.id]).toEqual(['ann at work 2', false]);
  });
});

describe('a voice', () => {
  const refused = async (work: Promise<Outcome<StoredVoice>>): Promise<string> => {
    const outcome = await work;
    return outcome.ok ? 'accepted' : englishErrorMessage(outcome.error);
  };

  it('cannot be made from an hour of sound', async () => {
    const { library } = scene();
    const hour = new Uint8Array(44 + 3600 * inputRate * 2);
    hour.set(encodeWavHeader(pcm, 3600 * inputRate));
    const problem = 'This WAV file lasts 3600 s. The limit is 120 s.';
    expect(await refused(library.importBytes('hour', hour))).toBe(problem);
  });

  it.each([
    ['nobody speaks in', encodeWav(room(10), pcm), failure('voiceUnheard')],
    ['is too short', encodeWav(speech(1), pcm), failure('voiceShort', { seconds: 1, least: 3 })],
    ['is not a WAV file', new Uint8Array(5000), failure('notWav')],
    ['is empty', new Uint8Array(), failure('emptyFile')],
  ])('cannot be made from a file that %s', async (_what, file, no) => {
    const { library } = scene();
    expect(await library.importBytes('a', file)).toEqual(no);
    expect(value(await library.list())).toEqual([]);
  });
});

it('a stored voice is sent in each dialect’s format', async () => {
  const { library } = scene();
  const { id } = value(await library.keep('Ann', speech(5)));
  const voice = { model: value(await library.sound(id)) };
  const codec = createClientCodec(bufferBase64);
  const ask = { kind: 'configure', settings: { voice } } as const;
  const unified = codec.encodeClientEvent(ask, 'unified');
  const legacy = codec.encodeClientEvent(ask, 'legacy');
  const bytesOf = (text: string, key: string): Uint8Array => {
    const [, base64 = ''] = new RegExp(`"${key}":"([^"]*)"`).exec(text) ?? [];
    return Buffer.from(base64, 'base64');
  };
  const raw = bytesOf(unified, 'ref_audio_base64');
  expect(raw).toHaveLength(voice.model.length * 4);
  expect(new Float32Array(raw.slice().buffer, 0, voice.model.length)).toEqual(voice.model);
  const wav = bytesOf(legacy, 'ref_audio');
  expect(Buffer.from(wav.subarray(0, 4)).toString()).toBe('RIFF');
  const { buffer, byteOffset, byteLength } = voice.model;
  const sound = Buffer.from(wav).indexOf('data') + 8;
  expect(wav.length % 4).toBe(0);
  expect(
    Buffer.from(wav.subarray(sound, sound + byteLength)).equals(
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  ).toBe(true);
});
