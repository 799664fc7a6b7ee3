import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  appError,
  errorCodes,
  errorMessage,
  failure,
  isAppError,
  mapErrorText,
} from '../../../../shared/errors/app-error.ts';
import * as ownErrors from '../../../../shared/errors/error-codes.ts';
import * as serverErrors from '../../../../shared/errors/server-error-codes.ts';
import { englishErrors } from '../../../../shared/i18n/en/errors.ts';
import { chineseErrors } from '../../../../shared/i18n/zh/errors.ts';
import { placeholdersIn } from '../i18n/message-texts.ts';

const full = appError('diskFull', { path: '/a' });

it('an error has its facts, and a detail or cause only if given', () => {
  expect(appError('noTalk')).toEqual({ code: 'noTalk', facts: {} });
  expect(failure('noTalk', {}, { detail: '' })).toEqual({
    ok: false,
    error: { code: 'noTalk', facts: {} },
  });
  expect(appError('changesNotStored', {}, { detail: 'ENOSPC', cause: full })).toEqual({
    code: 'changesNotStored',
    facts: {},
    detail: 'ENOSPC',
    cause: { code: 'diskFull', facts: { path: '/a' } },
  });
});

it('an error is accepted from a file only if this version knows its code and facts', () => {
  for (const known of [full, appError('changesNotStored', {}, { cause: full, detail: 'x' })]) {
    expect(isAppError(JSON.parse(JSON.stringify(known))), JSON.stringify(known)).toBe(true);
  }
  for (const unknown of [
    'noTalk',
    null,
    { code: 'noTalk' },
    { code: 'toString', facts: {} },
    { code: 'ofTomorrow', facts: {} },
    { code: 'diskFull', facts: {} },
    { code: 'diskFull', facts: { path: 3 } },
    { code: 'voiceNameLong', facts: { most: '60' } },
    { code: 'noTalk', facts: {}, detail: 7 },
    { code: 'noTalk', facts: {}, cause: { code: 'ofTomorrow', facts: {} } },
  ]) {
    expect(isAppError(unknown), JSON.stringify(unknown)).toBe(false);
  }
});

it('an error has secrets redacted in every text', () => {
  const error = appError(
    'noSuchServer',
    { server: 'tok-1' },
    { detail: 'with tok-1', cause: appError('clipLong', { most: 3 }, { detail: 'tok-1' }) },
  );
  const redacted = mapErrorText(error, (text) => text.replaceAll('tok-1', '***'));
  expect(JSON.stringify(redacted)).not.toContain('tok-1');
  expect(redacted.cause?.facts).toEqual({ most: 3 });
});

const root = new URL('../../../../', import.meta.url);

/** Files that declare, translate or classify codes, and create no errors. */
const withoutNewErrors =
  /^shared\/(?:errors\/(?:server-)?error-codes|i18n\/)|\/ending-verdict\.ts$/u;

function sources(): string {
  return ['electron', 'renderer', 'shared']
    .flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => /\.tsx?$/u.test(path) && !withoutNewErrors.test(path))
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .join('\n');
}

it('every declared error code is used', () => {
  const text = sources();
  const unused = Object.keys(errorCodes).filter(
    (code) => !text.includes(`'${code}'`) && !new RegExp(`^ +${code}: '`, 'mu').test(text),
  );
  expect(unused).toEqual([]);
});

it('every error code is declared exactly once', () => {
  const tables = [...Object.values(ownErrors), ...Object.values(serverErrors)];
  const declared = tables.flatMap((table) => Object.keys(table));
  expect(declared.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
});

describe.each([
  ['English', englishErrors],
  ['Chinese', chineseErrors],
])('the error texts in %s', (language, { codes }) => {
  const words = new Map<string, string>(Object.entries(codes));

  it('exist for every code, and for no unknown one', () => {
    expect([...words.keys()].toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  });

  it.each(Object.entries(errorCodes))(
    'use exactly the facts that the code %s declares',
    (code, facts) => {
      const sentence = words.get(code) ?? '';
      expect(placeholdersIn(sentence)).toEqual(Object.keys(facts).toSorted());
      expect(/\p{Script=Han}/u.test(sentence)).toBe(language === 'Chinese');
      // A final fact is a complete sentence.
      expect(sentence).toMatch(/(?:[.?。？]|: ?\{\{\w+\}\}|：\{\{\w+\}\})$/u);
    },
  );
});

describe('an error message', () => {
  const path = '/home/ann/settings.json';

  it('shows the cause, then the error with its facts', () => {
    const error = appError('changesNotStored', {}, { cause: appError('diskFull', { path }) });
    expect(errorMessage(error, englishErrors)).toBe(
      `${path} cannot be written: the disk is full. Your changes last until Parley quits.`,
    );
    expect(errorMessage(error, chineseErrors)).toBe(
      `无法写入 ${path}：磁盘已满。你的更改只在退出 Parley 之前有效。`,
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
