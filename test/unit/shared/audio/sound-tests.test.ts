import { expect, it } from 'vitest';
import { classifyRoom } from '../../../../shared/audio/sound-tests.ts';

it.each([
  [-60, -70, 'hardly', 'quiet'],
  [-40, -58, 'some', 'some'],
  [-20, -50, 'some', 'some'],
  [-15, -44, 'loud', 'loud'],
  [3, -20, 'loud', 'loud'],
])(
  'a chirp at %d dB in a room of %d dBFS is classified: %s, %s',
  (levelDb, noiseDb, echo, noise) => {
    expect(classifyRoom({ levelDb, noiseDb })).toEqual({ echo, noise });
  },
);
