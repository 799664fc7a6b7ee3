import { describe, expect, it } from 'vitest';
import {
  roomAdvice,
  roomSentences,
} from '../../../../../../electron/hosts/terminal/views/room-report.ts';

const good = {
  noiseDb: -62.3,
  echo: { lateMs: 48.2, overNoiseDb: 14.4, takenDb: 31, worstTakenDb: 18.2, leftOverNoiseDb: 2 },
  person: { lostDb: 1.2 },
  isClipped: false,
};

describe('a room in words', () => {
  it('says what was measured, and no advice where nothing is poor', () => {
    expect(roomSentences(good, true)).toEqual([
      'Noise: quiet (−62 dBFS).',
      'Echo: 14 dB over the noise, 48 ms late; Parley takes out 31 dB (worst tenth 18).',
      'You over it: 1.2 dB are taken from you.',
    ]);
    expect(roomSentences({ ...good, person: undefined }, false)).toHaveLength(2);
  });

  it('says that no echo is heard, or that one is under the noise', () => {
    expect(roomSentences({ ...good, echo: undefined }, false)[1]).toBe(
      'No echo is heard: a headset, or the volume is down.',
    );
    const soft = { ...good.echo, overNoiseDb: -4.6, takenDb: 0.4, worstTakenDb: -0.4 };
    expect(roomSentences({ ...good, echo: soft }, false)[1]).toBe(
      'Echo: 5 dB under the noise, 48 ms late; Parley takes out 0 dB (worst tenth 0).',
    );
  });

  it('advises where something is poor', () => {
    const poor = {
      noiseDb: -40,
      echo: { ...good.echo, lateMs: 300, leftOverNoiseDb: 12 },
      person: { lostDb: 8 },
      isClipped: true,
    };
    expect(roomAdvice(poor)).toEqual(['clipped', 'noise', 'echoLeft', 'late', 'person']);
    expect(roomSentences(poor, true)).toHaveLength(8);
    // Over nothing at all everything is loud.
    const looped = { ...good, noiseDb: -100, echo: { ...good.echo, leftOverNoiseDb: 25 } };
    expect(roomAdvice(looped)).toEqual([]);
  });
});
