import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
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
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { makeExampleTapes } from '../fixtures/example-tapes.ts';
import { flows } from '../fixtures/flows.ts';
import { replayEvents } from '../fixtures/make-flows.ts';
import { renderInSteps, tapeIn } from '../fixtures/stored-tape.ts';

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

/** A chat has no rendered ending to compare; these are the reasons that the terminal prints for the ends of chats. */
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

const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'resources/tapes');

const expectedMarks: Readonly<Record<ReplayExample, readonly TapeMarkKind[]>> = {
  voice: ['interruption', 'ending'],
  video: ['picture', 'picture', 'picture', 'ending'],
  reconnect: ['reconnect', 'device', 'device', 'ending'],
};

describe.each(replayExamples)('the example %s', (name) => {
  it('has the expected marks and captions, and ends normally', async () => {
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

it('the shipped examples equal newly made ones, byte for byte', async () => {
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
