import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import {
  type ReplayExample,
  replayExamples,
  type TapeMarkKind,
} from '../../shared/recordings/replay-view.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { makeExampleTapes } from '../fixtures/example-tapes.ts';
import { renderInSteps, tapeIn } from '../unit/electron/recordings/replay/render-tapes.ts';

const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'resources/tapes');

const expectedMarks: Readonly<Record<ReplayExample, readonly TapeMarkKind[]>> = {
  voice: ['interruption', 'ending'],
  video: ['picture', 'picture', 'picture', 'ending'],
  reconnect: ['reconnect', 'device', 'device', 'ending'],
};

const removals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removals.splice(0)) await remove();
});

async function unpacked(path: string): Promise<string> {
  const tape = unwrap(await unpackTape(path));
  removals.push(tape.remove);
  return tape.folder;
}

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
  const target = await mkdtemp(join(tmpdir(), 'parley-examples-'));
  removals.push(() => rm(target, { recursive: true, force: true }));
  await makeExampleTapes(join(root, 'resources/speech'), target);
  for (const name of replayExamples) {
    const made = await unpacked(join(target, `${name}.parleytape`));
    const kept = await unpacked(join(shipped, `${name}.parleytape`));
    const files = (await readdir(made)).toSorted();
    expect((await readdir(kept)).toSorted()).toEqual(files);
    for (const file of files)
      expect([
        file,
        (await readFile(join(kept, file))).equals(await readFile(join(made, file))),
      ]).toEqual([file, true]);
  }
});
