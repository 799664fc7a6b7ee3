import { expect, it } from 'vitest';
import { type Failure, failure } from '../../../../shared/errors/app-error.ts';
import { readInitialSettings, writeSettings } from '../../../../shared/settings/read-settings.ts';
import { redactSettings } from '../../../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';

const first = (text?: string, readFailure?: Failure) => {
  const file = new FakeStateFile(
    text === undefined ? undefined : new Map([['settings.json', text]]),
  );
  file.readFailure = readFailure;
  return readInitialSettings(file);
};

it('initial settings are readable before the core, without secrets', () => {
  const stored = { ...defaultSettings, firstRun: { done: true } };
  expect(first(writeSettings(stored))).toEqual(redactSettings(stored));
  expect(first()).toEqual(redactSettings(defaultSettings));
});

it('an existing settings file skips the first-run steps, even if unreadable', () => {
  expect(first('{ "appearance": {').firstRun.done).toBe(true);
  expect(first('').firstRun.done).toBe(true);
  const unreadable = failure('noPermission', { path: 'settings.json' });
  expect(first(undefined, unreadable).firstRun.done).toBe(true);
});
