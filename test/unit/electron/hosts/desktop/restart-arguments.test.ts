import { describe, expect, it } from 'vitest';
import {
  restartArguments,
  wasRestarted,
} from '../../../../../electron/hosts/desktop/start-arguments.ts';

const minute = 60_000;
const now = 1_800_000_000_000;

describe('a restart after a fault', () => {
  it('repeats the arguments with a note', () => {
    expect(wasRestarted(['electron', '.', '--hidden'])).toBe(false);
    const again = restartArguments(['electron', '.', '--hidden'], now, 'opened');
    expect(again).toEqual(['.', '--hidden', `--restarted-at=${now}`]);
    expect(wasRestarted(['electron', ...(again ?? [])])).toBe(true);
  });

  it('happens at most twice in ten minutes', () => {
    const first = restartArguments(['electron', '.'], now, 'opened') ?? [];
    const second = restartArguments(['electron', ...first], now + minute, 'opened') ?? [];
    expect(second).toEqual(['.', `--restarted-at=${now},${now + minute}`]);
    expect(restartArguments(['electron', ...second], now + 2 * minute, 'opened')).toBeUndefined();
    expect(restartArguments(['electron', ...second], now + 12 * minute, 'opened')).toEqual([
      '.',
      `--restarted-at=${now + 12 * minute}`,
    ]);
  });

  it('is a safe start if no window opened, and happens once', () => {
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

  it('ignores a forged note', () => {
    expect(restartArguments(['electron', '--restarted-at=x,,NaN'], now, 'opened')).toEqual([
      `--restarted-at=${now}`,
    ]);
  });
});
