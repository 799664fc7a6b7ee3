import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import {
  type ReplayExample,
  replayExamples,
  type TapeMark,
  type TapeMarkKind,
} from '../../shared/recordings/replay-view.ts';
import { parley } from '../fakes/fake-terminal.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { makeExampleTapes } from '../fixtures/example-tapes.ts';
import { flows } from '../fixtures/flows.ts';
import { compareFlows, makeFlows, replayEvents } from '../fixtures/make-flows.ts';
import { packFiles } from '../fixtures/pack-tape.ts';
import { renderInSteps, tapeIn } from '../unit/electron/recordings/replay/render-tapes.ts';

// Tapes are rendered, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const folder = join(import.meta.dirname, '../fixtures/flows');
const maxBytes = 2_000_000;

/** Unpacks a tape for one test, and returns its folder. */
async function unpacked(path: string): Promise<string> {
  const { folder, remove } = unwrap(await unpackTape(path));
  onTestFinished(remove);
  return folder;
}

async function readMarks(path: string): Promise<readonly TapeMark[]> {
  const tape = await tapeIn(await unpacked(path), createFiles());
  expect(tape.damage).toBeUndefined();
  const { rendered } = await renderInSteps(tape);
  expect(rendered.sceneAt(rendered.lengthMs).talk.state.phase).toBe('ended');
  tape.close();
  return rendered.marks;
}

const listEnds = (marks: readonly TapeMark[]) =>
  marks.flatMap((mark) =>
    mark.kind === 'reconnect' || mark.kind === 'ending' ? [mark.error?.code] : [],
  );

/** Chats are not rendered; this is the terminal’s word for their end. */
const closed: Readonly<Record<string, string>> = {
  answerDone: 'turn_done',
  connectionLost: 'connection_lost',
};
const closedReason = (events: string) => /"event":"closed","reason":"(\w+)"/u.exec(events)?.[1];

// Recorded by `npm run fixtures -- --write`. After an intended change of the events: `vitest -u`.
describe.each([...flows])('the tape %s', (name, { ends, chat }) => {
  const path = join(folder, `${name}.parleytape`);

  it('emits the recorded events, and ends as recorded', async () => {
    const events = await replayEvents(path);
    await expect(events).toMatchFileSnapshot(join(folder, `${name}.events.ndjson`));
    if (chat === undefined) expect(listEnds(await readMarks(path))).toEqual(ends);
    else expect(ends.map((end) => closed[end])).toEqual([closedReason(events)]);
  });
});

it('every flow has a tape and its events, less than 2 MB in all', () => {
  const names = [...flows.keys()].flatMap((name) => [
    `${name}.events.ndjson`,
    `${name}.parleytape`,
  ]);
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(maxBytes);
});

it('a repeated recording is identical, byte for byte', async () => {
  const at = workFolder();
  const names = ['unified-line-lost', 'legacy-interrupted', 'unified-chat-spoken'];
  for (const time of ['once', 'again']) await makeFlows(at(time), names);
  expect(await compareFlows(at('once'), at('again'))).toEqual([]);
  expect(readdirSync(at('once')).length).toBe(2 * names.length);
});

it('a tape of a later version is refused with a message, as a folder or one file', async () => {
  const at = workFolder();
  const text = '{"format":"parley-tape","version":99,"mode":"audio"}\n';
  const bytes = new TextEncoder().encode(text);
  writeFileSync(at('later.parleytape'), packFiles([{ name: 'tape.ndjson', bytes }]));
  mkdirSync(at('later'));
  writeFileSync(at('later/tape.ndjson'), text);
  for (const path of [at('later.parleytape'), at('later')])
    expect(await parley('replay', path)).toEqual({
      code: 1,
      out: '',
      err: `This tape has version 99; this Parley reads version 1. ${path} cannot be played.\n`,
    });
});

describe('a change of fixtures', () => {
  const tape = (line: string) =>
    packFiles([
      { name: 'tape.ndjson', bytes: new TextEncoder().encode(`{}\n${line}\n`) },
      { name: 'answer.wav', bytes: new TextEncoder().encode(line) },
    ]);

  it('is reported by file and line even within a tape', async () => {
    const at = workFolder();
    for (const [side, line] of [
      ['stored', '{"at":1}'],
      ['new', '{"at":20}'],
    ] as const) {
      mkdirSync(at(side));
      writeFileSync(join(at(side), 'a.parleytape'), tape(line));
      writeFileSync(join(at(side), 'a.events.ndjson'), `${line}\nsame\n`);
      writeFileSync(join(at(side), 'same.ndjson'), 'same\n');
      writeFileSync(join(at(side), `${side}.ndjson`), '');
    }
    expect(await compareFlows(at('stored'), at('new'))).toEqual([
      'a.events.ndjson: 1 line differs: line 1',
      '  - {"at":1}',
      '  + {"at":20}',
      'a.parleytape/answer.wav: differs (8, now 9)',
      'a.parleytape/tape.ndjson: 1 line differs: line 2',
      'a.parleytape/  - {"at":1}',
      'a.parleytape/  + {"at":20}',
      'new.ndjson: is new',
      'stored.ndjson: is no longer recorded',
    ]);
    expect(await compareFlows(at('stored'), at('stored'))).toEqual([]);
    expect(readFileSync(join(at('stored'), 'same.ndjson'), 'utf8')).toBe('same\n');
  });
});

const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'resources/tapes');

const expectedMarks: Readonly<Record<ReplayExample, readonly TapeMarkKind[]>> = {
  voice: ['interruption', 'ending'],
  video: ['picture', 'picture', 'picture', 'ending'],
  reconnect: ['reconnect', 'device', 'device', 'ending'],
};

describe.each(replayExamples)('the example %s', (name) => {
  it('shows its subject and ends regularly', async () => {
    const folder = await unpacked(join(shipped, `${name}.parleytape`));
    const tape = await tapeIn(folder, createFiles());
    expect(tape.damage).toBeUndefined();
    const { rendered } = await renderInSteps(tape);
    const kinds = rendered.marks.map(({ kind }) => kind);
    expect(kinds).toEqual(expectedMarks[name]);
    const { captions, state } = rendered.sceneAt(rendered.lengthMs).talk;
    expect(captions.length).toBeGreaterThan(0);
    expect(captions.map(({ text }) => text).join(' ')).toContain('demonstration');
    expect(state.phase).toBe('ended');
    expect(captions.some(({ cutFrom }) => cutFrom !== undefined)).toBe(name !== 'video');
    tape.close();
  });
});

it('the examples match those that the command makes', async () => {
  const target = workFolder()('examples');
  mkdirSync(target);
  await makeExampleTapes(join(root, 'resources/speech'), target);
  for (const name of replayExamples) {
    const made = await unpacked(join(target, `${name}.parleytape`));
    const kept = await unpacked(join(shipped, `${name}.parleytape`));
    const files = readdirSync(made).toSorted();
    expect(readdirSync(kept).toSorted()).toEqual(files);
    for (const file of files)
      expect(readFileSync(join(kept, file)).equals(readFileSync(join(made, file))), file).toBe(
        true,
      );
  }
});
