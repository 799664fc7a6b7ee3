import { describe, expect, it } from 'vitest';
import { roomReport } from '../../../../../../electron/hosts/terminal/commands/doctor-room.ts';
import { roomAdvice } from '../../../../../../shared/audio/sound-tests.ts';

const good = {
  noiseDb: -62.3,
  echo: {
    delayMs: 48.2,
    echoAboveNoiseDb: 14.4,
    medianCancelledDb: 31,
    worstCancelledDb: 18.2,
    residualAboveNoiseDb: 2,
  },
  person: { attenuationDb: 1.2 },
  isClipped: false,
};

describe('the report on a room', () => {
  it('shows only the measurements if they are good', () => {
    expect(roomReport(good, true)).toEqual([
      'Noise: quiet (−62 dBFS).',
      'Echo: heard, and removed (14 dB above the noise, 48 ms late; reduced by 31 dB, at worst 18).',
      'Your voice: heard over the echo (1.2 dB quieter).',
    ]);
    expect(roomReport({ ...good, person: undefined }, false)).toHaveLength(2);
  });

  it('reports a missing echo, or one below the noise', () => {
    expect(roomReport({ ...good, echo: undefined }, false)[1]).toBe(
      'No echo is heard: a headset, or the volume is down.',
    );
    expect(roomReport({ ...good, echo: undefined, person: undefined }, true)[2]).toBe(
      'Your voice: not heard. Speak louder, or move closer to the microphone.',
    );
    const soft = {
      ...good.echo,
      echoAboveNoiseDb: -4.6,
      medianCancelledDb: 0.4,
      worstCancelledDb: -0.4,
    };
    expect(roomReport({ ...good, echo: soft }, false)[1]).toBe(
      'Echo: softer than the noise (5 dB below it, 48 ms late; reduced by 0 dB, at worst 0).',
    );
  });

  it('gives advice if something is poor', () => {
    const poor = {
      noiseDb: -40,
      echo: { ...good.echo, delayMs: 300, residualAboveNoiseDb: 12 },
      person: { attenuationDb: 8 },
      isClipped: true,
    };
    expect(roomAdvice(poor)).toEqual(['clipped', 'noise', 'echoLeft', 'late', 'person']);
    const said = roomReport(poor, true);
    expect(said).toHaveLength(8);
    expect(said[1]).toMatch(/^Echo: heard, and partly removed \(/u);
    expect(said[2]).toBe('Your voice: heard over the echo, but quieter (8.0 dB quieter).');
    // In digital silence any echo is far above the noise, so it must not trigger advice.
    const looped = { ...good, noiseDb: -100, echo: { ...good.echo, residualAboveNoiseDb: 25 } };
    expect(roomAdvice(looped)).toEqual([]);
  });
});
