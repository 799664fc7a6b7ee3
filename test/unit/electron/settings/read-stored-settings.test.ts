import type { Failure } from '../../../../shared/errors/app-error.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { expect, it } from 'vitest';
import { firstStepsIn } from '../../../../electron/settings/read-stored-settings.ts';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';
import { writeSettings } from '../../../../shared/settings/read-settings.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';

const steps = (text?: string, readFailure?: Failure) => {
  const file = new FakeStateFile(
    text === undefined ? undefined : new Map([['settings.json', text]]),
  );
  file.readFailure = readFailure;
  return firstStepsIn(file);
};

it('the first steps are due where there are no settings, or they say so', () => {
  expect(steps()).toBe('due');
  expect(steps(writeSettings(defaultSettings))).toBe('due');
});

it('the first steps are behind whoever had settings, also where those cannot be read', () => {
  expect(steps(writeSettings({ ...defaultSettings, firstRun: { done: true } }))).toBe('done');
  expect(steps('{ "appearance": {')).toBe('done');
  expect(steps('')).toBe('done');
  expect(steps(undefined, failure('noPermission', { path: 'settings.json' }))).toBe('done');
});
