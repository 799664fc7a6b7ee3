import { describe, expect, it } from 'vitest';
import { readTapeEvent } from '../../../../shared/recordings/tape-event.ts';

describe('a tape event', () => {
  it.each([
    ['a kind of a later version', { kind: 'smelled', samples: 1 }],
    ['a negative sample count', { kind: 'heard', turn: 1, samples: -5 }],
    ['half a sample', { kind: 'heard', turn: 1, samples: 0.5 }],
    ['controls with a hole', { kind: 'controls', controls: { talking: 'open' } }],
    [
      'an error of nobody',
      {
        kind: 'devices',
        devices: {
          microphone: { kind: 'lost', error: { code: 'toString', facts: {} } },
          speaker: { kind: 'unknown' },
        },
      },
    ],
    [
      'a name without end',
      {
        kind: 'devices',
        devices: {
          microphone: { kind: 'using', device: 'x'.repeat(10_000) },
          speaker: { kind: 'unknown' },
        },
      },
    ],
    ['a list', []],
    ['nothing', null],
  ])('is skipped: %s', (_what, event) => {
    expect(readTapeEvent(event)).toBeUndefined();
  });

  it('loses the fields of a newer version', () => {
    expect(readTapeEvent({ kind: 'interrupt', why: 'rude' })).toEqual({ kind: 'interrupt' });
  });
});
