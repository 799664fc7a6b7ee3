import { expect, test, vi } from 'vitest';
import { appError } from '../../../../shared/errors/app-error.ts';
import { judgePace, minPauseOf, refuseSlowTalks } from '../../../../electron/model/model-pace.ts';

function stepsWithTwoAt(milliseconds: number): readonly number[] {
  return [...Array.from({ length: 8 }, () => 500), milliseconds, milliseconds];
}

test('fewer than ten steps have no verdict', () => {
  expect(judgePace(stepsWithTwoAt(500).slice(1))).toBeUndefined();
});

test.each([
  [700, 'voice'],
  [701, 'fewPictures'],
  [900, 'fewPictures'],
  [901, 'chatOnly'],
] as const)('two of ten steps at %d ms give the verdict %s', (milliseconds, verdict) => {
  expect(judgePace(stepsWithTwoAt(milliseconds))).toEqual({
    medianMs: 500,
    p90Ms: milliseconds,
    verdict,
  });
});

test('a model without time for pictures pauses two seconds between them', () => {
  const pauses = [700, 701, 901].map((slow) => minPauseOf(judgePace(stepsWithTwoAt(slow))));
  expect(pauses).toEqual([0, 2000, 2000]);
});

test('one slow step of ten does not count', () => {
  expect(judgePace([...Array.from({ length: 9 }, () => 500), 4000])?.verdict).toBe('voice');
});

test('talks are refused with the measured pace while the model is too slow, and chats pass', async () => {
  const connect = vi.fn(() => ({ send: vi.fn(), close: vi.fn(), terminate: vi.fn() }));
  const slow = { medianMs: 800, p90Ms: 1200, verdict: 'chatOnly' } as const;
  const sockets = refuseSlowTalks({ connect }, () => slow);
  const listener = { opened: vi.fn(), received: vi.fn(), ended: vi.fn() };
  sockets.connect('audio', listener);
  await Promise.resolve();
  expect(listener.ended).toHaveBeenCalledExactlyOnceWith({
    kind: 'unreachable',
    permanent: true,
    error: appError('modelTooSlow', { p90Ms: 1200, limitMs: 900 }),
  });
  expect(connect).not.toHaveBeenCalled();
  sockets.connect('chat', listener);
  expect(connect).toHaveBeenCalledTimes(1);
});
