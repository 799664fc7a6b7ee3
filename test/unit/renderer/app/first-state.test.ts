import { expect, it } from 'vitest';
import { selectFirstSteps, readFirstState } from '../../../../renderer/app/initial-page-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { sampleSettings } from '../../../gallery/sample-settings.ts';

const page = (content: string | undefined): Pick<Document, 'querySelector'> => ({
  querySelector: (selector: string) =>
    content !== undefined && selector === 'meta[name="parley-first-state"]'
      ? { getAttribute: (name: string) => (name === 'content' ? content : null) }
      : null,
});

it('the first state is read only from a page into which the host wrote one', () => {
  const written = { firstSteps: 'done', windows: { main: true, mini: false } };
  expect(readFirstState(page(JSON.stringify(written)))).toEqual(written);
  expect(readFirstState(page('unknown'))).toEqual({});
  expect(readFirstState(page(undefined))).toEqual({});
});

it('the settings decide about the first steps, or else the host’s state', () => {
  const begun = { ...sampleSettings, firstRun: { done: false } };
  const now = (view: Partial<Parameters<typeof selectFirstSteps>[0]>) =>
    selectFirstSteps({ settings: undefined, firstSteps: undefined, problem: undefined, ...view });
  expect(now({ settings: begun, firstSteps: 'done' })).toBe('due');
  expect(now({ settings: sampleSettings, firstSteps: 'due' })).toBe('done');
  expect(now({ firstSteps: 'due' })).toBe('due');
  expect(now({})).toBeUndefined();
  // Failed settings must not keep the page empty.
  expect(now({ problem: appError('settingsUnread') })).toBe('done');
});
