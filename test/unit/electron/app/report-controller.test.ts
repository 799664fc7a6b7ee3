import { describe, expect, it } from 'vitest';
import { ReportController } from '../../../../electron/app/report-maker.ts';
import { SavedFolder } from '../../../../electron/recordings/export/export-controller.ts';
import { done } from '../../../../shared/errors/app-error.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import type { ReportOf } from '../../../../shared/app/program.ts';
import { CountedPage } from '../../../fakes/counted-page.ts';

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
    chooseTarget: () => Promise.resolve(undefined),
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

  it('waits for the end of one page only, until it is discarded', async () => {
    const page = new CountedPage();
    const reports = openController([], { tapes });
    for (let times = 0; times < 3; times += 1)
      await reports.handlers.prepareReport({ of: { kind: 'last' } }, page);
    expect(page.waiting).toBe(1);
    await reports.drop();
    expect(page.waiting).toBe(0);
  });
});
