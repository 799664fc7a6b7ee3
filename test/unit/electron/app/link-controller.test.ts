import { describe, expect, it } from 'vitest';
import { LinkController, readLink } from '../../../../electron/app/parley-links.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import { presetIds } from '../../../../shared/settings/preset.ts';

const unknown = { kind: 'refused', error: appError('linkUnknown') };

describe('a link', () => {
  it.each(presetIds)('proposes a talk with the preset %s', (preset) => {
    expect(readLink(`parley://start?preset=${preset}`)).toEqual({ kind: 'start', preset });
  });

  it.each(['parley://start', 'parley://start/'])(
    'proposes a talk with the current settings: %s',
    (link) => {
      expect(readLink(link)).toEqual({ kind: 'start' });
    },
  );

  it.each([
    'parley://start?preset=coach&server=wss://evil.example',
    'parley://start?preset=coach#',
    'parley://start?preset=coach ',
    ' parley://start',
    'parley://start?preset=coach\n--no-sandbox',
    'parley://user@start',
    'parley://start:80',
    'parley:start',
    'parley://start?preset=',
    'parley://start?preset=own&preset=coach',
    'parley://start?preset=%63oach',
    'https://start?preset=coach',
    '',
    `parley://start?preset=${'a'.repeat(1_000_000)}`,
  ])('is refused with any other content (%#)', (link) => {
    expect(readLink(link)).toEqual(unknown);
  });

  it.each(['own', 'nobody', 'constructor'])('is refused with the preset %s', (preset) => {
    expect(readLink(`parley://start?preset=${preset}`)).toEqual({
      kind: 'refused',
      error: appError('linkPresetUnknown'),
    });
  });

  it('waits, replaced by newer ones, until a page dismisses it', async () => {
    const posted: unknown[] = [];
    const links = new LinkController((name, payload) => posted.push([name, payload]));
    expect(await links.handlers.openedLink(undefined, noPage)).toBeUndefined();
    links.open('parley://start');
    links.open('parley://start?preset=coach');
    const coach = { kind: 'start', preset: 'coach' };
    expect(await links.handlers.openedLink(undefined, noPage)).toEqual(coach);
    await links.handlers.dismissLink(undefined, noPage);
    expect(await links.handlers.openedLink(undefined, noPage)).toBeUndefined();
    expect(posted).toEqual([
      ['linkChanged', { kind: 'start' }],
      ['linkChanged', coach],
      ['linkChanged', undefined],
    ]);
  });
});
