import sharp from 'sharp';
import { expect, test } from '@playwright/test';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Region, Sharp } from 'sharp';
import { startVirtualScreen } from '../../scripts/lib/display.mjs';
import { findXvfb } from '../../scripts/lib/test-tools.mjs';
import { Lifetime } from '../../shared/lifetime.ts';
import { shippedProgram } from '../e2e/fixtures/inspectable-package.ts';
import { prepareState, settingsAfterFirstRun } from '../e2e/fixtures/running-host.ts';
import { openIsolatedSoundServer, speakSentence } from '../e2e/fixtures/sound-card.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { listenToSpeaker } from '../fakes/virtual-card.ts';
import { closeSync, openSync, readSync } from 'node:fs';

/** The pixels of a screen, four bytes each: blue, green, red, unused. */
interface ScreenPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** Xvfb's framebuffer as a mapped `xwd` file, which can be read without disturbing the server. */
class ScreenMemory {
  readonly #file: number;
  readonly #width: number;
  readonly #height: number;
  readonly #pixelsAt: number;

  constructor(folder: string) {
    this.#file = openSync(join(folder, 'Xvfb_screen0'), 'r');
    const header = Buffer.alloc(100);
    readSync(this.#file, header, 0, header.length, 0);
    const field = (at: number): number => header.readUInt32BE(at * 4);
    this.#width = field(4);
    this.#height = field(5);
    // The colour table follows the header, twelve bytes per entry.
    this.#pixelsAt = field(0) + field(19) * 12;
    if (field(11) !== 32 || field(12) !== this.#width * 4) {
      throw new Error(`The screen has ${field(11)} bits a pixel and ${field(12)} bytes a line.`);
    }
  }

  read(): ScreenPicture {
    const pixels = Buffer.alloc(this.#width * this.#height * 4);
    readSync(this.#file, pixels, 0, pixels.length, this.#pixelsAt);
    return { width: this.#width, height: this.#height, pixels };
  }

  close(): void {
    closeSync(this.#file);
  }
}

const run = promisify(execFile);
/** The command that the package puts into PATH. */
const parley = join(dirname(shippedProgram), 'bin/parley');

test('the packaged program in a talk, as a window manager shows it', async () => {
  test.setTimeout(300_000);
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
      stored: { ...settingsAfterFirstRun, appearance: { theme: 'light', language: 'en' } },
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
    await answered();
    // The moving picture shows an answer that ends, one that is interrupted, and the beginning of a third.
    const frames = record(screen);
    await delay(4000);
    await answered();
    await delay(1500);
    await command('interrupt');
    await delay(1500);
    await answered();
    await delay(2500);
    const moving = frames.stop();
    const edge = findEdge(screen.read(), empty);
    await saveMoving(moving, edge);
    await command('stop');
  } finally {
    await lifetime.end();
  }
});

/** Speaks until an answer comes, because the first words may be lost while the microphone opens. */
async function answered(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    const speaker = listenToSpeaker(16_000);
    await speakSentence();
    const heard = await Promise.race([
      speaker.waitForLevel(0.05).then(() => true),
      delay(6000, false),
    ]);
    await speaker.end();
    if (heard) return;
  }
  throw new Error('Nothing was answered to five sentences.');
}

interface Frame {
  readonly at: number;
  readonly picture: ScreenPicture;
}

const frameMs = 125;

/** Captures the screen eight times a second, and skips unchanged frames. */
function record(screen: ScreenMemory): { readonly stop: () => readonly Frame[] } {
  const frames: Frame[] = [];
  const timer = setInterval(() => {
    const picture = screen.read();
    if (frames.at(-1)?.picture.pixels.equals(picture.pixels) === true) return;
    frames.push({ at: performance.now(), picture });
  }, frameMs);
  return {
    stop: () => {
      clearInterval(timer);
      return frames;
    },
  };
}

/** Finds the window, with its frame, by comparing the screen with an empty one. */
function findEdge({ width, height, pixels }: ScreenPicture, empty: ScreenPicture): Region {
  const edge = { left: width, top: height, right: 0, bottom: 0 };
  for (let at = 0; at < width * height; at += 1) {
    if (pixels.readUIntLE(at * 4, 3) === empty.pixels.readUIntLE(at * 4, 3)) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    edge.left = Math.min(edge.left, x);
    edge.right = Math.max(edge.right, x + 1);
    edge.top = Math.min(edge.top, y);
    edge.bottom = Math.max(edge.bottom, y + 1);
  }
  const { left, top, right, bottom } = edge;
  return { left, top, width: right - left, height: bottom - top };
}

/** Crops the screen, whose pixels are BGRX. */
function cut({ width, height, pixels }: ScreenPicture, edge: Region): Sharp {
  const rgb = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1)
    rgb.writeUIntBE(pixels.readUIntLE(at * 4, 3), at * 3, 3);
  return sharp(rgb, { raw: { width, height, channels: 3 } }).extract(edge);
}

async function saveMoving(frames: readonly Frame[], edge: Region): Promise<void> {
  const small: Buffer[] = [];
  for (const { picture } of frames)
    small.push(await cut(picture, edge).resize({ width: 800 }).png().toBuffer());
  const frameDelays = frames.map(({ at }, n) => Math.round((frames[n + 1]?.at ?? at + 2000) - at));
  const { size } = await sharp(small, { join: { animated: true } })
    .webp({ delay: frameDelays, loop: 0, quality: 70, effort: 4, minSize: true })
    .toFile(resolve('docs/talk.webp'));
  expect(size).toBeLessThan(1_500_000);
}
