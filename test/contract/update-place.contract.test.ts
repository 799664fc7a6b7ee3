import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createUpdatePlace } from '../../electron/platform/updates/update-place.ts';
import { workFolder } from '../fakes/work-folder.ts';

const oddName = 'Parley’s "new" \'更新\' $HOME';

/** A program that does nothing but say its version, as `parley --version` does. */
const programOf = (version: string, code = 0): string =>
  `#!/bin/sh\n[ "$1" = --command ] && echo ${version}\nexit ${code}\n`;

let work: (name: string) => string;
let path: string;

beforeEach(() => {
  work = workFolder();
  path = work(oddName);
});

const saysOf = (program: string): string =>
  execFileSync(program, ['--command'], { encoding: 'utf8' }).trim();
const beside = (): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(oddName))
    .map((name) => name.slice(oddName.length))
    .toSorted();

describe.each(['folder', 'file'] as const)('a version that lies in a %s', (kind) => {
  const programIn = (place: string): string => (kind === 'folder' ? join(place, 'parley') : place);

  function putProgram(place: string, program: string): void {
    if (kind === 'folder') mkdirSync(place, { recursive: true });
    writeFileSync(programIn(place), program);
    chmodSync(programIn(place), 0o755);
  }

  /** As it comes from a server. */
  function packed(program: string): string {
    const source = work(`Parley-${Math.random()}`);
    putProgram(source, program);
    if (kind === 'file') return source;
    const file = `${source}.tar.gz`;
    execFileSync('tar', ['-czf', file, '-C', dirname(source), basename(source)]);
    return file;
  }

  const placeOf = (running = '0.1.0') => createUpdatePlace({ path, kind, running });

  beforeEach(() => {
    putProgram(path, programOf('0.1.0'));
  });

  it('is laid out beside the one that runs, takes its place, and gives it back', async () => {
    const place = placeOf();
    expect(await place.look()).toEqual({ previous: undefined, next: undefined });
    const prepared = await place.prepare(packed(programOf('0.2.0')), '0.2.0').done;
    expect(prepared).toEqual({ ok: true, value: undefined });
    expect(saysOf(programIn(path))).toBe('0.1.0');
    expect(beside()).toEqual(['', '.next-0.2.0']);
    expect(await place.look()).toEqual({ previous: undefined, next: '0.2.0' });

    expect(await place.swap('next')).toEqual({ ok: true, value: undefined });
    expect(saysOf(programIn(path))).toBe('0.2.0');
    const newer = placeOf('0.2.0');
    expect(await newer.look()).toEqual({ previous: '0.1.0', next: undefined });

    expect(await newer.swap('previous')).toEqual({ ok: true, value: undefined });
    expect(saysOf(programIn(path))).toBe('0.1.0');
    expect(await placeOf().look()).toEqual({ previous: undefined, next: undefined });
    expect(beside()).toEqual(['']);
  });

  it.each([
    ['that does not start', programOf('0.2.0', 1), 'updateNotStarting'],
    ['that says nothing', '#!/bin/sh\n', 'updateNotStarting'],
    ['that is no program', 'x', 'updateNotStarting'],
    ['that is an older one', programOf('0.0.9'), 'updateOtherVersion'],
    ['that is a newer one', programOf('0.2.1'), 'updateOtherVersion'],
  ])('is refused where it is one %s, and the one that runs stays', async (_what, program, code) => {
    const place = placeOf();
    const prepared = await place.prepare(packed(program), '0.2.0').done;
    expect(prepared).toMatchObject({ ok: false, error: { code } });
    expect(beside()).toEqual(['']);
    expect(await place.swap('next')).toMatchObject({ error: { code: 'updateNotSwapped' } });
    expect(saysOf(programIn(path))).toBe('0.1.0');
  });

  it('is stopped where a talk begins, and leaves nothing', async () => {
    const place = placeOf();
    const preparing = place.prepare(packed('#!/bin/sh\nexec sleep 30\n'), '0.2.0');
    await expect.poll(() => beside()).toContain('.unpacking');
    preparing.stop();
    expect((await preparing.done).ok).toBe(false);
    expect(beside()).toEqual(['']);
  });

  it('is not wanted any more', async () => {
    const place = placeOf();
    await place.prepare(packed(programOf('0.2.0')), '0.2.0').done;
    await place.drop();
    expect(beside()).toEqual(['']);
  });

  it('is the one before, as far back as one step', async () => {
    for (const name of ['.previous-0.0.8', '.previous-0.0.9', '.next-0.0.7', '.left-0.3.0'])
      putProgram(`${path}${name}`, programOf('x'));
    writeFileSync(`${path}.unpacking`, 'x');
    // The person's own are none of ours.
    const own = ['.previous-of mine', '.next', '-0.2.0', '.next-0.2.0.txt'];
    for (const name of own) writeFileSync(`${path}${name}`, 'x');
    expect(await placeOf().look()).toEqual({ previous: '0.0.9', next: undefined });
    expect(beside()).toEqual(['', '.previous-0.0.9', ...own].toSorted());
  });

  it('says that there is none before it', async () => {
    const gone = await placeOf().swap('previous');
    expect(gone).toMatchObject({ error: { code: 'updatePreviousGone' } });
  });

  it('is refused where nothing may be written', async () => {
    // Also for root.
    const place = createUpdatePlace({ path: join('/proc', oddName), kind, running: '0.1.0' });
    const prepared = await place.prepare(packed(programOf('0.2.0')), '0.2.0').done;
    expect(prepared).toMatchObject({ ok: false });
    expect(await place.swap('next')).toMatchObject({ ok: false });
  });

  it('takes its place also where something else lies under the name of the one before', async () => {
    const place = placeOf();
    await place.prepare(packed(programOf('0.2.0')), '0.2.0').done;
    mkdirSync(`${path}.previous-0.1.0/full`, { recursive: true });
    expect(await place.swap('next')).toEqual({ ok: true, value: undefined });
    expect(saysOf(programIn(path))).toBe('0.2.0');
    expect(saysOf(programIn(`${path}.previous-0.1.0`))).toBe('0.1.0');
  });
});

it('an archive that is none is refused, and nothing of it stays', async () => {
  mkdirSync(path);
  const file = work('x.tar.gz');
  writeFileSync(file, 'no archive');
  const place = createUpdatePlace({ path, kind: 'folder', running: '0.1.0' });
  const prepared = await place.prepare(file, '0.2.0').done;
  expect(prepared).toMatchObject({ error: { code: 'updateUnpackable' } });
  expect(beside()).toEqual(['']);
});
