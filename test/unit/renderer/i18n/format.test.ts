import { describe, expect, it } from 'vitest';
import {
  formatClock,
  formatDay,
  formatDuration,
  formatExpectedLength,
  secondsLeft,
  startsNewDay,
} from '../../../../renderer/i18n/format.ts';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';

const { t } = await createI18n('en');
const at = (year: number, month: number, day: number, hour = 12): number =>
  new Date(year, month - 1, day, hour).getTime();
const nameOf = (then: number, now: number): string => formatDay(then, now, 'en-GB', t);

describe('day names', () => {
  it('are Today, Yesterday, or a weekday with the date, and the year if it differs', () => {
    const now = at(2026, 3, 1, 1);
    expect(nameOf(at(2026, 3, 1, 0), now)).toBe('Today');
    expect(nameOf(at(2026, 2, 28, 23), now)).toBe('Yesterday');
    expect(nameOf(at(2026, 2, 27), now)).toMatch(/^Friday,? 27 February$/);
    expect(nameOf(at(2025, 12, 31), now)).toMatch(/^Wednesday,? 31 December 2025$/);
  });

  it('say Yesterday across a new year', () => {
    expect(nameOf(at(2025, 12, 31), at(2026, 1, 1))).toBe('Yesterday');
  });

  it('start at calendar midnight', () => {
    expect(startsNewDay(at(2026, 3, 1, 0), undefined)).toBe(true);
    expect(startsNewDay(at(2026, 3, 1, 0), at(2026, 3, 1, 23))).toBe(false);
    expect(startsNewDay(at(2026, 2, 28, 23), at(2026, 3, 1, 0))).toBe(true);
  });
});

describe('the length of a talk', () => {
  it('is in seconds, minutes, or hours and minutes', () => {
    const lengths = [0, 48, 59.6, 60, 252, 3569, 3600, 4300];
    expect(lengths.map((seconds) => formatDuration(seconds, 'en'))).toEqual([
      '0 sec',
      '48 sec',
      '1 min',
      '1 min',
      '4 min',
      '59 min',
      '1 hr',
      '1 hr 12 min',
    ]);
    expect(formatDuration(4300, 'zh')).toBe('1 小时 12 分钟');
  });

  it('is written out where it is only expected', () => {
    expect(formatExpectedLength(90, 'en')).toBe('90 seconds');
    expect(formatExpectedLength(490, 'en')).toBe('8 minutes');
    expect(formatExpectedLength(490, 'zh')).toBe('8 分钟');
  });
});

it('a clock shows hours only if there are any, and remaining seconds are never negative', () => {
  expect([formatClock(0), formatClock(65), formatClock(3600), formatClock(-3)]).toEqual([
    '0:00',
    '1:05',
    '1:00:00',
    '0:00',
  ]);
  expect([
    secondsLeft(10, 1000, 1000),
    secondsLeft(10, 1000, 4500),
    secondsLeft(1, 0, 9e9),
  ]).toEqual([10, 7, 0]);
});
