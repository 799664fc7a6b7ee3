import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { localDate, ReportController } from '../../../../electron/app/report-maker.ts';
import { SavedFolder } from '../../../../electron/recordings/export/export-controller.ts';
import { appError, done, failure } from '../../../../shared/errors/app-error.ts';
import { noPage, OpenPage } from '../../../../shared/ipc/page.ts';
import { LinkController, readLink } from '../../../../electron/app/parley-links.ts';
import type { ReportOf } from '../../../../shared/app/program.ts';

interface Recordings {
  readonly tapes?: readonly string[];
  readonly shown?: string;
  readonly replayed?: string;
}

function openController(made: (string | undefined)[], { tapes = [], shown, replayed }: Recordings) {
  return new ReportController({
    maker: {
      make: (tape) => {
        made.push(tape);
        const report = {
          files: [],
          recordedAt: undefined,
          pack: () => Promise.resolve(done),
          remove: () => Promise.resolve(),
        };
        return Promise.resolve({ ok: true, value: report });
      },
    },
    tapes: { names: () => Promise.resolve(new Set(tapes)), pathOf: (name) => `/tapes/${name}` },
    replayed: () => replayed,
    shownTalk: () => shown,
    chooseTarget: () => Promise.resolve({ ok: true, value: undefined }),
    saved: new SavedFolder(undefined),
    today: () => '2026-01-01',
  });
}

/** The tape that a report on this subject contains. */
async function tapeOf(of: ReportOf, recordings: Recordings): Promise<string | undefined> {
  const made: (string | undefined)[] = [];
  const reports = openController(made, recordings);
  await reports.handlers.prepareReport({ of }, noPage);
  await reports.drop();
  expect(made).toHaveLength(1);
  return made[0];
}

const tapes = ['2026-01-01T10Z', '2026-01-02T10Z', '2026-01-02T10Z-2'];

describe('a report', () => {
  it('on the shown talk has the newest tape of that talk, or none', async () => {
    const of = { kind: 'shown' } as const;
    expect(await tapeOf(of, { tapes, shown: '2026-01-03T10Z' })).toBeUndefined();
    expect(await tapeOf(of, { tapes })).toBeUndefined();
    expect(await tapeOf(of, { tapes, shown: '2026-01-01T10Z' })).toBe('/tapes/2026-01-01T10Z');
    // The last minutes of this talk were saved twice.
    expect(await tapeOf(of, { tapes, shown: '2026-01-02T10Z' })).toBe('/tapes/2026-01-02T10Z-2');
  });

  it('on a listed talk, a replay or the last talk has its tape, if there is one', async () => {
    expect(await tapeOf({ kind: 'talk', id: '2026-01-01T10Z' }, { tapes })).toContain('01-01');
    expect(await tapeOf({ kind: 'talk', id: 'gone' }, { tapes })).toBeUndefined();
    expect(await tapeOf({ kind: 'replay' }, { tapes, replayed: '/example' })).toBe('/example');
    expect(await tapeOf({ kind: 'last' }, { tapes })).toBe('/tapes/2026-01-02T10Z-2');
    expect(await tapeOf({ kind: 'last' }, {})).toBeUndefined();
  });
});

it('a report is saved and dropped only by the page that shows it', async () => {
  const { handlers } = openController([], { tapes });
  const [first, second] = [new OpenPage(), new OpenPage()];
  await handlers.prepareReport({ of: { kind: 'talk', id: '2026-01-01T10Z' } }, first);
  await handlers.prepareReport({ of: { kind: 'last' } }, second);
  expect(await handlers.saveReport(undefined, first)).toEqual(failure('reportGone'));
  await handlers.dropReport(undefined, first);
  expect(await handlers.saveReport(undefined, second)).toEqual({
    ok: true,
    value: { kind: 'cancelled' },
  });
});

it('a report has the local date of the user', () => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(localDate(new Date('2026-02-01T03:00:00Z'))).toBe('2026-01-31');
});

const unknown = { kind: 'refused', error: appError('linkUnknown') };

describe('a link', () => {
  it.each([
    ['parley://start', { kind: 'start' }],
    ['parley://start/', { kind: 'start' }],
    ['parley://start?preset=coach', { kind: 'start', preset: 'coach' }],
    ['parley://start?preset=own', { kind: 'refused', error: appError('linkPresetUnknown') }],
    [
      'parley://start?preset=constructor',
      { kind: 'refused', error: appError('linkPresetUnknown') },
    ],
  ])('proposes a talk, or is refused for an unknown preset: %s', (link, read) => {
    expect(readLink(link)).toEqual(read);
  });

  it.each([
    'parley://start?preset=coach&server=wss://evil.example',
    'parley://start?preset=coach#',
    ' parley://start',
    'parley://start?preset=coach\n--no-sandbox',
    'parley://user@start',
    'parley://start:80',
    'parley:start',
    'parley://start?preset=',
    'parley://start?preset=%63oach',
    'https://start?preset=coach',
    '',
    `parley://start?preset=${'a'.repeat(1_000_000)}`,
  ])('is refused with any other content (%#)', (link) => {
    expect(readLink(link)).toEqual(unknown);
  });

  it('waits until a page dismisses it or a newer link replaces it', async () => {
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
