import { describe, expect, it } from 'vitest';
import { appError, errorCodes, errorMessage } from '../../../../shared/errors/app-error.ts';
import { englishErrors } from '../../../../shared/i18n/en/errors.ts';
import { chineseErrors } from '../../../../shared/i18n/zh/errors.ts';

const factsIn = (text: string | undefined): readonly string[] =>
  [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted();

describe.each([
  ['English', englishErrors],
  ['Chinese', chineseErrors],
])('the error texts in %s', (language, { codes }) => {
  const words = new Map<string, string>(Object.entries(codes));

  it('exist for every code, and for no unknown one', () => {
    expect([...words.keys()].toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  });

  it.each(Object.entries(errorCodes))('use exactly the facts of %s', (code, facts) => {
    const sentence = words.get(code) ?? '';
    expect(factsIn(sentence)).toEqual(Object.keys(facts).toSorted());
    expect(/\p{Script=Han}/u.test(sentence)).toBe(language === 'Chinese');
    // A final fact is a complete sentence.
    expect(sentence).toMatch(/(?:[.?。？]|: ?\{\{\w+\}\}|：\{\{\w+\}\})$/u);
  });
});

describe('an error message', () => {
  const path = '/home/ann/settings.json';

  it('shows the cause, then the error with its facts', () => {
    const error = appError('changesUnkept', {}, { cause: appError('diskFull', { path }) });
    expect(errorMessage(error, englishErrors)).toBe(
      `${path} cannot be written: the disk is full. Your changes last until Parley quits.`,
    );
    expect(errorMessage(error, chineseErrors)).toBe(
      `无法写入 ${path}：磁盘已满。你的更改只保留到退出 Parley。`,
    );
  });

  it('does not interpolate text inside a fact', () => {
    const name = '{{path}} $t(errors.said) $& <b>';
    expect(errorMessage(appError('tokenGone', { name }), englishErrors)).toBe(
      `The access token of ${name} is gone: enter it again.`,
    );
  });

  it('appends the server’s words and omits technical details', () => {
    const full = appError('queueFull', {}, { detail: '42 waiting' });
    expect(errorMessage(full, englishErrors)).toMatch(/full.* The server says: 42 waiting$/);
    expect(errorMessage(full, chineseErrors)).toMatch(/已满。.*服务器返回的说明：42 waiting$/);
    const broken = appError('deviceBroken', { device: 'Box' }, { detail: 'PaError -9985' });
    expect(errorMessage(broken, englishErrors)).not.toContain('9985');
  });
});
