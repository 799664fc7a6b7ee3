import { expect, it } from 'vitest';
import { firstStepsNow, readFirstState } from '../../../../renderer/app/initial-page-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { sampleSettings } from '../../../gallery/sample-settings.ts';

const page = (content: string | undefined): Pick<Document, 'querySelector'> => ({
  querySelector: (selector: string) =>
    content !== undefined && selector === 'meta[name="parley-first-state"]'
      ? { getAttribute: (name: string) => (name === 'content' ? content : null) }
      : null,
});

it('what the host wrote into the page is read, and a page that no host served says nothing', () => {
  const written = { firstSteps: 'done', windows: { main: true, mini: false } };
  expect(readFirstState(page(JSON.stringify(written)))).toEqual(written);
  expect(readFirstState(page('unknown'))).toEqual({});
  expect(readFirstState(page(undefined))).toEqual({});
});

it('what the settings say counts, before them what the host said, and else nothing is shown', () => {
  const begun = { ...sampleSettings, firstRun: { done: false } };
  const now = (view: Partial<Parameters<typeof firstStepsNow>[0]>) =>
    firstStepsNow({ settings: undefined, firstSteps: undefined, problem: undefined, ...view });
  expect(now({ settings: begun, firstSteps: 'done' })).toBe('due');
  expect(now({ settings: sampleSettings, firstSteps: 'due' })).toBe('done');
  expect(now({ firstSteps: 'due' })).toBe('due');
  expect(now({})).toBeUndefined();
  // Nobody waits for ever where the settings cannot be had.
  expect(now({ problem: appError('settingsUnread') })).toBe('done');
});
