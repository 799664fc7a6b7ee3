import { expect, it } from 'vitest';
import { errorText, pastErrorText } from '../../../../renderer/i18n/error-text.ts';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { refusedError, sessionError } from '../../../../shared/errors/session-reasons.ts';

const english = (await createI18n('en')).t;
const chinese = (await createI18n('zh')).t;

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
