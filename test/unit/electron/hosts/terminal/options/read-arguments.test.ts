import { describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../../../../../electron/hosts/terminal/options/command-spec.ts';
import {
  nearestName,
  readArguments,
} from '../../../../../../electron/hosts/terminal/options/read-arguments.ts';

const spec = {
  name: 'demo',
  summary: 'a command',
  options: {
    mode: { value: 'M', choices: ['audio', 'video'], required: true, about: '' },
    mic: { value: 'NAME', alone: true, about: '' },
    speaker: { value: 'NAME', alone: true, about: '' },
    at: { value: 'SEC', many: true, range: { min: 0, max: 9 }, about: '' },
    size: { value: 'N', read: (text: string) => text.length, about: '' },
    json: { about: '' },
  },
} as const satisfies CommandSpec;

const none = { mic: undefined, speaker: undefined, at: [], size: undefined, json: false };
const read = (...args: readonly string[]) => readArguments(spec, args).options;

describe('readArguments', () => {
  it('returns given values, and undefined for the rest', () => {
    expect(read('--mode', 'audio')).toEqual({ ...none, mode: 'audio' });
    expect(read('--mode=video', '--at', '1', '--at=2.5', '--size', 'abc', '--json')).toEqual({
      ...none,
      mode: 'video',
      at: [1, 2.5],
      size: 3,
      json: true,
    });
  });

  it('takes the last value of a single option', () => {
    expect(read('--mode', 'audio', '--mode', 'video').mode).toBe('video');
  });

  it('takes an option whose value is optional with and without it', () => {
    expect(read('--mic', '--mode', 'audio')).toEqual({ ...none, mode: 'audio', mic: true });
    expect(read('--mode', 'audio', '--mic=A b').mic).toBe('A b');
    expect(read('--speaker', 'Box', '--mode', 'audio', '--mic')).toEqual({
      ...none,
      mode: 'audio',
      speaker: 'Box',
      mic: true,
    });
  });

  it('fails without a required option', () => {
    expect(() => read()).toThrow('Give --mode audio or --mode video.');
  });

  it('checks each value of a repeated option', () => {
    expect(() => read('--mode', 'audio', '--at', '1', '--at', '10')).toThrow(
      '--at takes a number from 0 to 9, not "10".',
    );
  });
});

describe('nearestName', () => {
  const names = ['tape', 'talk', 'tts', 'tts-voice', 'max-new-tokens', 'max-seconds'];

  it.each([
    ['tpae', 'tape'],
    ['tap', 'tape'],
    ['tallk', 'talk'],
    ['tts-vioce', 'tts-voice'],
    ['max-token', undefined],
    ['maxnewtokens', 'max-new-tokens'],
    ['max-second', 'max-seconds'],
    ['t', undefined],
    ['', undefined],
    ['loud', undefined],
  ])('finds for %j the name %j', (given, nearest) => {
    expect(nearestName(given, names)).toBe(nearest);
  });
});
