import { describe, expect, it } from 'vitest';
import { readTapeEvent } from '../../../../shared/recordings/tape-event.ts';

describe('a tape event', () => {
  it.each([
    ['a kind of a later version', { kind: 'smelled', samples: 1 }],
    ['a negative sample count', { kind: 'heard', turn: 1, samples: -5 }],
    ['half a sample', { kind: 'heard', turn: 1, samples: 0.5 }],
    ['incomplete controls', { kind: 'controls', controls: { talking: 'open' } }],
    [
      'an unknown error code',
      {
        kind: 'devices',
        devices: {
          microphone: { kind: 'lost', error: { code: 'toString', facts: {} } },
          speaker: { kind: 'unknown' },
        },
      },
    ],
    [
      'an overlong device name',
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
