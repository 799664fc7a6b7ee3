import { describe, expect, it } from 'vitest';
import {
  restartArguments,
  wasRestarted,
} from '../../../../../electron/hosts/desktop/start-arguments.ts';

const minute = 60_000;
const now = 1_800_000_000_000;

describe('starting anew after a fault', () => {
  it('is the same start with a note', () => {
    expect(wasRestarted(['electron', '.', '--hidden'])).toBe(false);
    const again = restartArguments(['electron', '.', '--hidden'], now, 'opened');
    expect(again).toEqual(['.', '--hidden', `--restarted-at=${now}`]);
    expect(wasRestarted(['electron', ...(again ?? [])])).toBe(true);
  });

  it('is done twice in ten minutes and no more, and again when those are long ago', () => {
    const first = restartArguments(['electron', '.'], now, 'opened') ?? [];
    const second = restartArguments(['electron', ...first], now + minute, 'opened') ?? [];
    expect(second).toEqual(['.', `--restarted-at=${now},${now + minute}`]);
    expect(restartArguments(['electron', ...second], now + 2 * minute, 'opened')).toBeUndefined();
    expect(restartArguments(['electron', ...second], now + 12 * minute, 'opened')).toEqual([
      '.',
      `--restarted-at=${now + 12 * minute}`,
    ]);
  });

  it('is a careful start where no window was reached, and is done once', () => {
    const first = restartArguments(['electron', '.'], now, 'unopened');
    expect(first).toEqual(['.', '--safe-start', `--restarted-at=${now}`]);
    expect(restartArguments(['electron', ...(first ?? [])], now + minute, 'unopened')).toBe(
      undefined,
    );
    const afterOpened = restartArguments(['electron', '.'], now, 'opened') ?? [];
    expect(restartArguments(['electron', ...afterOpened], now + minute, 'unopened')).toBe(
      undefined,
    );
    const later = restartArguments(['electron', ...(first ?? [])], now + 12 * minute, 'unopened');
    expect(later).toEqual(['.', '--safe-start', `--restarted-at=${now + 12 * minute}`]);
  });

  it('takes no harm from a note that somebody has made up', () => {
    expect(restartArguments(['electron', '--restarted-at=x,,NaN'], now, 'opened')).toEqual([
      `--restarted-at=${now}`,
    ]);
  });
});
