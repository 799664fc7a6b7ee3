import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serializeTalk } from '../../electron/recordings/history/talk-source.ts';
import type { TapeHeader } from '../../electron/recordings/tape/tape.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';
import { eventually } from '../fakes/eventually.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { workFolder } from '../fakes/work-folder.ts';

const dayMs = 86_400_000;
/** The next check is within six hours. */
const checkMs = 6 * 60 * 60 * 1000;

const header: TapeHeader = {
  format: 'parley-tape',
  version: 1,
  mode: 'audio',
  dialect: 'auto',
  chunkMs: 1000,
  settings: {},
  endpoint: 'wss://host.example/v1/realtime',
  recordedAt: '2026-01-02T03:04:05.000Z',
};

/** A core that has run for days, with recordings of 40 days ago. */
function openWithOldRecordings() {
  const at = workFolder();
  const before = Date.now() - 40 * dayMs;
  const tape = (name: string, saved?: true): void => {
    const folder = at(`tapes/${name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/tape.ndjson`, `${JSON.stringify({ ...header, saved })}\n`);
    utimesSync(folder, before / 1000, before / 1000);
  };
  const talk = (name: string, pinned: boolean): void => {
    mkdirSync(at(`talks/${name}`), { recursive: true });
    const text = serializeTalk({
      title: '',
      pinned,
      mode: 'audio',
      server: { name: 'Studio' },
      begunAt: before,
      savedAt: before,
      turns: [],
      events: [],
      pictures: [],
    });
    writeFileSync(at(`talks/${name}/talk.json`), text);
    utimesSync(at(`talks/${name}/talk.json`), before / 1000, before / 1000);
  };
  const lastSeenAt = Date.now() - dayMs;
  writeFileSync(
    at('retention.json'),
    JSON.stringify({ version: 1, lastSeenAt, days: 40, waitUntil: 2 }),
  );
  for (const pinned of [true, false]) {
    const name = pinned ? 'pinned' : 'plain';
    talk(name, pinned);
    tape(name);
  }
  tape('textless');
  tape('saved', true);
  const clock = new FakeClock();
  const core = coreWithFakes(at('.'), clock);
  const has = (path: string): boolean => existsSync(at(path));
  return { clock, core, has };
}

describe('a recording beyond the retention time', () => {
  it('is kept for a pinned talk and for a manual save; others are deleted', async () => {
    const { clock, core, has } = openWithOldRecordings();
    core.begin();
    clock.advance(30_000);
    const old = ['talks/plain', 'tapes/plain', 'tapes/textless'];
    await eventually(() => {
      expect(old.filter(has)).toEqual([]);
    });
    expect(
      ['talks/pinned', 'tapes/pinned', 'tapes/pinned/tape.ndjson', 'tapes/saved'].map(has),
    ).toEqual([true, true, true, true]);
    await core.lifetime.end();
  });

  it('is deleted at the next check once its talk is unpinned', async () => {
    const { clock, core, has } = openWithOldRecordings();
    core.begin();
    clock.advance(30_000);
    await eventually(() => {
      expect(has('tapes/textless')).toBe(false);
    });
    await core.ask('pinHistory', { kind: 'talk', id: 'pinned', pinned: false });
    expect(has('tapes/pinned')).toBe(true);
    clock.advance(checkMs);
    await eventually(() => {
      expect(has('tapes/pinned')).toBe(false);
    });
    expect(has('tapes/saved')).toBe(true);
    await core.lifetime.end();
  });
});
