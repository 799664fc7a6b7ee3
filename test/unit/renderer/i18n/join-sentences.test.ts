import { describe, expect, it } from 'vitest';
import { errorText } from '../../../../renderer/i18n/error-text.ts';
import { joinSentences } from '../../../../renderer/i18n/join-sentences.ts';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { appError } from '../../../../shared/errors/app-error.ts';

const { t: english } = await createI18n('en');
const { t: chinese } = await createI18n('zh');

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
