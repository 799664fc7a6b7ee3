import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { which } from '../../../scripts/lib/run.mjs';
import { Lifetime } from '../../../shared/lifetime.ts';
import type { ForeignWindow } from '../../../shared/ports/other-programs.ts';
import { buildLikeProduct } from '../fixtures/build-like-product.ts';
import {
  missingKeyboardTool,
  openTestKeyboard,
  type TestKeyboard,
} from '../keys/open-test-keyboard.ts';
import type { RigRequest } from './programs-rig.ts';

/** Builds programs-rig.ts, a small Electron app with text fields, like the product. Returns the file to start. */
function buildRig(folder: string): Promise<string> {
  return buildLikeProduct(folder, {
    'programs-rig': 'test/e2e/cursor/programs-rig.ts',
  });
}

const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Returns a function that sends a request and returns the answer. */
async function startRig(
  lifetime: Lifetime,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<(request: RigRequest) => Promise<unknown>> {
  // Required late, because the module looks for an installed runtime.
  const electron = createRequire(import.meta.url)('electron') as string;
  const child = spawn(electron, [...flags, file], {
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    for (;;) {
      const line = await answers.next();
      if (line.done === true) throw new Error('The rig ended.');
      // Electron prints other lines too.
      if (/^["{[n]/.test(line.value)) return JSON.parse(line.value);
    }
  };
  await next();
  return (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
}

// Parley in programs that nobody here wrote: a terminal (xterm) and a GTK editor (l3afpad).
const folder = resolve('test-results', `programs-${process.env['TEST_PARALLEL_INDEX'] ?? '0'}`);
const rounds = process.env['PARLEY_TEST_TIER'] === 'all' ? 100 : 5;

let file: string;
let lifetime: Lifetime;
let keyboard: TestKeyboard;
let rig: Awaited<ReturnType<typeof startRig>>;

test.beforeAll(async () => {
  const missing = missingKeyboardTool() ?? ['xterm', 'l3afpad'].find((tool) => !which(tool));
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
  file = await buildRig(folder);
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

test.beforeEach(async () => {
  lifetime = new Lifetime('other programs under test');
  keyboard = await openTestKeyboard(lifetime);
  rig = await startRig(lifetime, file, keyboard.environment);
});

test.afterEach(() => lifetime.end());

/** Starts a program and waits until it has the focus. */
async function start(program: string, ...args: readonly string[]): Promise<ForeignWindow> {
  const child = spawn(program, args, { env: keyboard.environment, stdio: 'ignore' });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
  });
  let found: ForeignWindow | null = null;
  await expect
    .poll(async () => {
      found = (await rig({ does: 'active' })) as ForeignWindow | null;
      return found?.program;
    })
    .toBe(program);
  if (found === null) throw new Error('It has no window.');
  return found;
}

/** An editor with this text; `saved` saves it and returns the text. */
async function startEditor(text: string) {
  const path = join(folder, 'note.txt');
  await writeFile(path, text);
  const window = await start('l3afpad', path);
  const saved = async (): Promise<string> => {
    await keyboard.type('key', 'ctrl+s');
    await new Promise((done) => setTimeout(done, 100));
    return readFile(path, 'utf8');
  };
  return { window, saved };
}

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

test('the active window and the selected text of an editor are known', async () => {
  const { window } = await startEditor('A lighthouse stands here.');
  expect(window).toMatchObject({ program: 'l3afpad', title: expect.stringContaining('note.txt') });
  await keyboard.type('key', 'ctrl+a');
  await expect
    .poll(() => rig({ does: 'selection' }))
    .toEqual({ text: 'A lighthouse stands here.', cut: false });
});

test('a text replaces the selection of an editor, and the clipboard is as before', async () => {
  let text = 'one';
  const { window, saved } = await startEditor(text);
  await start('xterm');
  const fills = [
    { does: 'fill', text: 'what was copied', html: '<b>what was copied</b>' },
    { does: 'fill', png: picture },
    { does: 'fill', text: 'with a picture', html: '<i>with a picture</i>', png: picture },
  ] as const;
  for (let round = 0; round < rounds; round += 1) {
    const fill = fills[round % fills.length] ?? fills[0];
    await rig(fill);
    const before = await rig({ does: 'look' });
    await rig({ does: 'focus', window });
    await keyboard.type('key', 'ctrl+a');
    await expect.poll(() => rig({ does: 'selection' })).toMatchObject({ text });
    await keyboard.type('search', '--class', '^XTerm$', 'windowactivate', '--sync');
    text = `Round ${round}:\nein Leuchtturm, 灯塔`;
    expect(await rig({ does: 'insert', text, window })).toEqual({ ok: true });
    expect(await rig({ does: 'active' })).toMatchObject({ id: window.id });
    expect(await rig({ does: 'look' })).toEqual(before);
    await expect.poll(saved).toBe(text);
  }
});

test('a text is one line for a terminal, and nothing runs', async () => {
  const output = join(folder, 'typed.txt');
  const window = await start('xterm', '-e', 'sh', '-c', `cat > ${output}`);
  const text = 'echo one\necho two\n';
  expect(await rig({ does: 'insert', text, window })).toEqual({ ok: true });
  expect(await readFile(output, 'utf8')).toBe('');
  await keyboard.type('key', 'Return', 'ctrl+d');
  await expect.poll(() => readFile(output, 'utf8')).toBe('echo one echo two\n');
});

test('a window that has closed keeps the text on the clipboard', async () => {
  const { window } = await startEditor('one');
  await keyboard.type('key', 'ctrl+q');
  await expect.poll(() => rig({ does: 'active' })).not.toMatchObject({ id: window.id });
  const inserted = await rig({ does: 'insert', text: 'kept', window });
  expect(inserted).toMatchObject({ ok: false, error: { code: 'cursorTargetGone' } });
  expect(await rig({ does: 'look' })).toMatchObject({ text: 'kept' });
});

test('an answer of 10,000 words arrives whole, and a longer one is copied', async () => {
  const { window, saved } = await startEditor('one');
  await keyboard.type('key', 'ctrl+a');
  const words = Array.from({ length: 10_000 }, (_, n) => `word${n}`).join(' ');
  expect(await rig({ does: 'insert', text: words, window })).toEqual({ ok: true });
  await expect.poll(saved).toBe(words);
  const long = 'x'.repeat(250_001);
  const inserted = await rig({ does: 'insert', text: long, window });
  expect(inserted).toMatchObject({ ok: false, error: { code: 'cursorTextLong' } });
  expect(await rig({ does: 'look' })).toMatchObject({ text: long });
});
