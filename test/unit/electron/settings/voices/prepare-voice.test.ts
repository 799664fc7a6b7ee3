import { describe, expect, it } from 'vitest';
import {
  type PreparedVoice,
  prepareVoice,
} from '../../../../../electron/settings/voices/voice-library.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { click, joined, room, speech } from './speech.ts';

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
  it('is trimmed to the speech with a short margin', () => {
    const voice = prepare(room(3), speech(5), room(2));
    expect(durationSeconds(voice)).toBeCloseTo(5.3, 1);
    expect(voice.notes).toEqual([]);
  });

  it('keeps its pauses', () => {
    expect(durationSeconds(prepare(speech(3), room(2), speech(3)))).toBeCloseTo(8, 1);
  });

  it('begins and ends without the clicks of a button', () => {
    const voice = prepare(room(0.5), click(), room(2), speech(4), room(2), click(), room(0.5));
    expect(durationSeconds(voice)).toBeCloseTo(4.3, 1);
  });

  it('keeps speech up to the very end', () => {
    expect(durationSeconds(prepare(speech(4)))).toBeCloseTo(4, 1);
    expect(durationSeconds(prepare(speech(4), new Float32Array(100)))).toBeCloseTo(4, 1);
  });

  it.each([5, 30])('does not share the buffer of a source of %i s', (seconds) => {
    const sound = speech(seconds);
    const outcome = prepareVoice(sound);
    if (outcome.ok) outcome.value.samples.fill(9);
    expect([outcome.ok, sound.includes(9)]).toEqual([true, false]);
  });

  it('ends in a pause before the limit, without a click, and is marked', () => {
    const voice = prepare(speech(12.5), room(0.4), speech(20));
    expect(durationSeconds(voice)).toBeGreaterThan(12.5);
    expect(durationSeconds(voice)).toBeLessThan(12.9);
    expect([voice.samples.at(-1) === 0, voice.notes]).toEqual([true, ['cut']]);
  });

  it('ends at the limit without a pause', () => {
    const voice = prepare(new Float32Array(40 * inputRate).fill(0.2));
    expect(durationSeconds(voice)).toBeLessThanOrEqual(15);
    expect(durationSeconds(voice)).toBeGreaterThan(11);
    expect(voice.samples.at(-1) === 0).toBe(true);
  });

  it.each([
    ['far away', speech(5, 0.01), ['quiet']],
    ['of normal loudness', speech(5, 0.1), []],
    ['at full scale', touchingSpeech, []],
    ['too loud', clippedSpeech, ['clipped']],
  ])('has notes on its level if it is %s', (_how, sound, notes) => {
    expect(prepare(room(1), sound, room(1)).notes).toEqual(notes);
  });
});

describe('an invalid reference voice', () => {
  it.each([
    ['nothing', new Float32Array()],
    ['silence', new Float32Array(10 * inputRate)],
    ['an empty room', room(10)],
    ['a click in it', joined(room(5), click(), room(5))],
  ])('is refused if it is %s', (_what, sound) => {
    expect(prepareVoice(sound)).toEqual(failure('voiceUnheard'));
  });

  it('is refused with its length if it has too little speech', () => {
    expect(prepareVoice(joined(room(20), speech(2), room(20)))).toEqual(
      failure('voiceShort', { seconds: 2.3, least: 3 }),
    );
  });
});
