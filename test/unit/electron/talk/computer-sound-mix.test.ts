import { beforeEach, describe, expect, it } from 'vitest';
import { ComputerSoundMix } from '../../../../electron/talk/talk-sound-devices.ts';

const block = (value: number, samples = 320): Float32Array => new Float32Array(samples).fill(value);
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
function mixAlong(blocks: number, part: number, userSpeaks = false): Float32Array {
  let mixed = block(part);
  for (let n = 0; n < blocks; n += 1) {
    mix.pushAudio(block(0.5));
    mixed = mix.mix(block(part), userSpeaks);
  }
  return mixed;
}

describe('the mix of microphone and computer', () => {
  it('adds what the computer plays to what the user says', () => {
    expect(last(mixAlong(10, 0.2))).toBeCloseTo(0.7);
  });

  it('leaves a part untouched until 60 ms wait, so that late blocks make no hole', () => {
    play(2);
    expect(mix.mix(block(0.2), false)).toEqual(block(0.2));
    play(1);
    expect(last(mix.mix(block(0.2), false))).toBeGreaterThan(0.2);
  });

  it('does not write into the part, which may be a shared silence', () => {
    play(4);
    const silence = block(0);
    mix.mix(silence, false);
    expect(silence).toEqual(block(0));
  });

  it('is four times softer while the user speaks, and changes without a click', () => {
    mixAlong(10, 0);
    mix.pushAudio(block(0.5));
    const ducking = mix.mix(block(0), true);
    const steps = ducking.slice(1).map((sample, n) => Math.abs(sample - (ducking[n] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(0.01);
    expect(last(mixAlong(3, 0, true))).toBeCloseTo(0.125);
  });

  it('follows the volume of the settings', () => {
    volume = 0.5;
    expect(last(mixAlong(10, 0))).toBeCloseTo(0.25);
    volume = 0;
    expect(last(mixAlong(10, 0.1))).toBeCloseTo(0.1);
  });

  it('never exceeds full scale', () => {
    expect(last(mixAlong(10, 0.9))).toBe(1);
  });

  it('waits at most a quarter of a second, although the computer’s clock is faster', () => {
    play(60, 0.1);
    play(3, 0.5);
    const first = mix.mix(block(0, 3200), false);
    // The newest block comes within 60 ms.
    expect(first[950]).toBeCloseTo(0.5);
  });

  it('passes the microphone alone after the computer’s stream has ended', () => {
    mixAlong(10, 0);
    for (let n = 0; n < 4; n += 1) mix.mix(block(0), false);
    expect(mix.mix(block(0.2), false)).toEqual(block(0.2));
  });

  it('keeps nothing of an earlier use', () => {
    play(10);
    mix.clear();
    play(2, 0);
    expect(mix.mix(block(0), false)).toEqual(block(0));
  });
});
