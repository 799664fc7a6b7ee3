import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { findXvfb } from '../../scripts/lib/test-tools.mjs';
import { startVirtualScreen } from '../../scripts/lib/virtual-screen.mjs';
import { Lifetime } from '../../shared/lifetime.ts';
import { shippedProgram } from '../e2e/fixtures/inspectable-package.ts';
import { openIsolatedSoundServer } from '../e2e/fixtures/isolated-sound-server.ts';
import { speakSentence } from '../e2e/fixtures/pages/speak-sentence.ts';
import { ScreenMemory } from '../e2e/fixtures/screen-memory.ts';
import type { ScreenPicture } from '../e2e/fixtures/screen-memory.ts';
import { prepareState, welcomed } from '../e2e/fixtures/stored-state.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { listenToSpeaker } from '../fakes/virtual-card.ts';

const run = promisify(execFile);
/** As it lies in the package, for the PATH. */
const parley = join(dirname(shippedProgram), 'bin/parley');

test('the packaged program in a talk, as a window manager shows it', async () => {
  test.setTimeout(180_000);
  const lifetime = new Lifetime('a picture');
  const folder = await mkdtemp(join(tmpdir(), 'parley-picture-'));
  lifetime.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const memoryFolder = join(folder, 'screen');
    await mkdir(memoryFolder);
    const xvfb = findXvfb();
    if ('reason' in xvfb) throw new Error(xvfb.reason);
    const virtual = await startVirtualScreen(xvfb.executable, { size: '1100x800', memoryFolder });
    lifetime.add(() => {
      virtual.stop();
    });
    const screen = new ScreenMemory(memoryFolder);
    lifetime.add(() => {
      screen.close();
    });
    const card = await openIsolatedSoundServer();
    lifetime.add(() => card.end());
    const state = await prepareState(lifetime, {
      stored: { ...welcomed, appearance: { theme: 'light', language: 'en' } },
    });
    const { display: DISPLAY } = virtual;
    const env = { ...process.env, ...state, DISPLAY, XDG_CONFIG_HOME: folder };
    await startWindowManager(lifetime, env);
    const empty = screen.read();
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const window = spawn(parley, asRoot, { env, stdio: 'ignore' });
    lifetime.add(async () => {
      const closed = once(window, 'close');
      window.kill('SIGTERM');
      await closed;
    });
    const command = async (...words: readonly string[]) => {
      await expect(() => run(parley, words, { env })).toPass({ timeout: 60_000 });
    };
    await command('show');
    await command('start');
    // An answer that is heard to its end, and one that is interrupted in the middle.
    await answered();
    await rest(4000);
    await answered();
    await rest(1500);
    await command('interrupt');
    await rest(1500);
    await answered();
    await rest(2500);
    await save(screen.read(), empty);
    await command('stop');
  } finally {
    await lifetime.end();
  }
});

/** Says something until it is answered: the first words may fall into the moment in which the microphone is opened. */
async function answered(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    const speaker = listenToSpeaker(16_000);
    await speakSentence();
    const heard = await Promise.race([speaker.heard(0.05).then(() => true), rest(6000, false)]);
    await speaker.end();
    if (heard) return;
  }
  throw new Error('Nothing was answered to five sentences.');
}

/** The window with its frame, cut out of an otherwise empty screen. */
async function save({ width, height, pixels }: ScreenPicture, empty: ScreenPicture): Promise<void> {
  const rgb = Buffer.alloc(width * height * 3);
  const edge = { left: width, top: height, right: 0, bottom: 0 };
  for (let at = 0; at < width * height; at += 1) {
    const blue = pixels.readUIntLE(at * 4, 3);
    rgb.writeUIntBE(blue, at * 3, 3);
    if (blue === empty.pixels.readUIntLE(at * 4, 3)) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    edge.left = Math.min(edge.left, x);
    edge.right = Math.max(edge.right, x + 1);
    edge.top = Math.min(edge.top, y);
    edge.bottom = Math.max(edge.bottom, y + 1);
  }
  const { left, top, right, bottom } = edge;
  const file = resolve('docs/screenshot.png');
  const { size } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .png({ palette: true, compressionLevel: 9 })
    .toFile(file);
  expect(size).toBeLessThan(200_000);
}
