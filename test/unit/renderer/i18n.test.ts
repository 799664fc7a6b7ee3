import { describe, expect, it } from 'vitest';
import {
  errorText,
  pastErrorText,
  formatClock,
  formatDay,
  formatDuration,
  formatExpectedLength,
  formatLaterTime,
  secondsLeft,
  startsNewDay,
  joinSentences,
} from '../../../renderer/i18n/format.ts';
import { createI18n, switchLanguage } from '../../../renderer/i18n/page-language.ts';
import { appError, refusedError, sessionError } from '../../../shared/errors/app-error.ts';

it('texts follow the chosen language', async () => {
  const words = await createI18n('zh');
  expect(words.t('talk.start')).toBe('开始通话');
  expect(words.hasResourceBundle('en', 'translation')).toBe(false);
  await switchLanguage(words, 'en');
  expect(words.language).toBe('en');
  expect(words.t('talk.left', { time: '1:05' })).toBe('1:05 left');
});

const { t: english } = await createI18n('en');
const { t: chinese } = await createI18n('zh');

it('the error text is in the page’s language, followed by the server’s words', () => {
  const full = sessionError('queue_full', '42 waiting');
  expect(errorText(chinese, full)).toBe(
    '服务器的排队人数已满。请过几分钟再试。服务器返回的说明：42 waiting',
  );
  expect(errorText(english, full)).toMatch(/^The server’s queue is full.* 42 waiting$/);
  expect(errorText(chinese, refusedError(401, ''))).toContain('（401）');
  expect(errorText(chinese, refusedError(503, ''))).toContain('一分钟');
  const unheard = appError('nothingListens', { server: 'home:8006' });
  expect(errorText(chinese, unheard)).toContain('home:8006 上没有程序在监听');
  expect(errorText(chinese, appError('noMicrophone'))).toContain('麦克风');
});

it('the error of an answer that a crash cut does not say that all words before it are stored', () => {
  const cut = appError('answerCutByCrash');
  expect(errorText(english, cut)).toContain('some of it is missing');
  expect(errorText(chinese, cut)).toContain('回答不完整');
});

it('the error text does not interpolate text inside facts', () => {
  const name = '{{name}} $t(errors.said) <b>';
  expect(errorText(english, appError('tokenGone', { name }))).toBe(
    `The access token of ${name} is gone: enter it again.`,
  );
});

it('the error text quotes errors that the server reports, but not unreadable events', () => {
  const unread = appError('eventUnreadable', {}, { detail: 'No JSON.' });
  expect(errorText(chinese, unread)).not.toMatch(/JSON/);
  const reported = appError('serverReports', { reason: 'busy' }, { detail: 'Step 3' });
  expect(errorText(chinese, reported)).toContain('Step 3');
});

it('the error text says what happened without the advice if the error is past', () => {
  const cut = appError('connectionLost');
  expect(pastErrorText(english, cut)).toBe('The connection was cut.');
  expect(pastErrorText(chinese, cut)).toBe('连接断开了。');
  const proxy = appError('proxyAddressForm');
  expect(pastErrorText(english, proxy)).toBe(errorText(english, proxy));
  const full = sessionError('queue_full', '42 waiting');
  expect(pastErrorText(english, full)).toMatch(/^The server’s queue is full\. \D+ 42 waiting$/);
});

it('the error text truncates long server text', () => {
  expect(errorText(chinese, sessionError('x'.repeat(5000))).length).toBeLessThan(400);
});

it('sentences have a space between them in English, and none in Chinese', () => {
  expect(joinSentences(english, 'One.', 'Two.')).toBe('One. Two.');
  expect(joinSentences(chinese, '一。', '二。')).toBe('一。二。');
  expect(joinSentences(chinese, '一。', undefined)).toBe('一。');
});

describe.each([
  ['English', english, /copied/gu],
  ['Chinese', chinese, /复制/gu],
] as const)('in %s, the small window', (_name, t, copied) => {
  it.each([
    'cursorTargetGone',
    'cursorNoTarget',
    'cursorTargetUnknown',
    'cursorKeysFailed',
    'cursorKeysRefused',
    'cursorTextLong',
  ] as const)('says only once that a text was copied, after %s', (code) => {
    for (const advice of ['cursor.copiedInstead', 'cursor.dictation.copiedInstead'] as const) {
      const text = joinSentences(t, errorText(t, appError(code)), t(advice));
      expect(text.match(copied), text).toHaveLength(1);
    }
  });
});

const at = (year: number, month: number, day: number, hour = 12): number =>
  new Date(year, month - 1, day, hour).getTime();
const nameOf = (then: number, now: number): string => formatDay(then, now, 'en-GB', english);

describe('day names', () => {
  it('are Today, Yesterday, or a weekday with the date, and the year if it differs', () => {
    const now = at(2026, 3, 1, 1);
    expect(nameOf(at(2026, 3, 1, 0), now)).toBe('Today');
    expect(nameOf(at(2026, 2, 28, 23), now)).toBe('Yesterday');
    expect(nameOf(at(2026, 2, 27), now)).toMatch(/^Friday,? 27 February$/);
    expect(nameOf(at(2025, 12, 31), now)).toMatch(/^Wednesday,? 31 December 2025$/);
  });

  it('precede a later time that is not on the same day', () => {
    const late = at(2026, 2, 28, 23);
    expect(formatLaterTime(at(2026, 2, 28, 23), late, 'en-GB')).toBe('23:00');
    expect(formatLaterTime(at(2026, 3, 1, 1), late, 'en-GB')).toMatch(/1 March 2026 at 01:00$/u);
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

it('the text about a talk that stored no text does not say that nothing is left, because the talk may be recorded', () => {
  expect(english('history.keep.notStored')).toBe('The text of this talk was not kept.');
  expect(chinese('history.keep.notStored')).toBe('这次通话的文字没有保留。');
});
