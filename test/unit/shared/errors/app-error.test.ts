import { expect, it } from 'vitest';
import {
  appError,
  failure,
  isAppError,
  mapErrorText,
} from '../../../../shared/errors/app-error.ts';

const full = appError('diskFull', { path: '/a' });

it('an error has its facts, and a detail or cause only if given', () => {
  expect(appError('noTalk')).toEqual({ code: 'noTalk', facts: {} });
  expect(failure('noTalk', {}, { detail: '' })).toEqual({
    ok: false,
    error: { code: 'noTalk', facts: {} },
  });
  expect(appError('changesUnkept', {}, { detail: 'ENOSPC', cause: full })).toEqual({
    code: 'changesUnkept',
    facts: {},
    detail: 'ENOSPC',
    cause: { code: 'diskFull', facts: { path: '/a' } },
  });
});

it('an error is accepted from a file only if this version knows its code and facts', () => {
  for (const known of [full, appError('changesUnkept', {}, { cause: full, detail: 'x' })]) {
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
  const veiled = mapErrorText(error, (text) => text.replaceAll('tok-1', '***'));
  expect(JSON.stringify(veiled)).not.toContain('tok-1');
  expect(veiled.cause?.facts).toEqual({ most: 3 });
});
