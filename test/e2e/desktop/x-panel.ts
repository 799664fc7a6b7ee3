import { expect } from '@playwright/test';
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';

const run = promisify(execFile);

/** Panels with an XEmbed tray, configured to show nothing else. */
const panels = {
  tint2: {
    arguments: (file: string) => ['-c', file],
    settings: 'panel_items = S\npanel_size = 200 40\n',
  },
  trayer: {
    arguments: () => ['--edge', 'bottom', '--align', 'right', '--widthtype', 'request'],
    settings: '',
  },
  stalonetray: {
    arguments: (file: string) => ['--config', file],
    settings: 'geometry 4x1-0-0\nicon_size 24\nkludges force_icons_size\n',
  },
} as const;

export type PanelName = keyof typeof panels;

export const panelNames = [
  'tint2',
  'trayer',
  'stalonetray',
] as const satisfies readonly PanelName[];

export function findMissingPanelTool(name: PanelName): string | undefined {
  return [name, 'xwininfo', 'xdotool', 'ffmpeg'].find((program) => which(program) === undefined);
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class XPanel {
  readonly #name: PanelName;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(name: PanelName, folder: string, lifetime: Lifetime) {
    this.#name = name;
    this.#folder = folder;
    lifetime.add(() => this.stop());
  }

  async start(): Promise<void> {
    const { arguments: toArguments, settings } = panels[this.#name];
    const file = join(this.#folder, `${this.#name}rc`);
    await writeFile(file, settings);
    this.#child = spawnDyingWithParent(this.#name, toArguments(file), { stdio: 'ignore' });
    await once(this.#child, 'spawn');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) await endChild(child);
  }

  /** The icon's place on the screen; waits until there is one. */
  async icon(): Promise<Rectangle> {
    let found: Rectangle | undefined;
    await expect
      .poll(async () => {
        found = await this.#findIcon();
        return found;
      })
      .toBeDefined();
    if (found === undefined) throw new Error(`${this.#name} shows no icon.`);
    return found;
  }

  async click(button: '1' | '3' = '1'): Promise<void> {
    const { x, y, width, height } = await this.icon();
    const middle = [x + width / 2, y + height / 2].map((place) => String(Math.round(place)));
    await run('xdotool', ['mousemove', ...middle, 'click', button]);
  }

  /** The pixels at the icon's place, three bytes each. */
  async pixels(): Promise<ScreenPixels> {
    const { x, y, width, height } = await this.icon();
    const place = `${process.env['DISPLAY']}+${x},${y}`;
    const source = ['-f', 'x11grab', '-draw_mouse', '0', '-video_size', `${width}x${height}`];
    const picture = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
    const args = ['-loglevel', 'error', ...source, '-i', place, ...picture];
    const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
    return { width, height, colours: stdout };
  }

  /** Opens the icon's menu with the right button, and waits until it is on the screen. */
  async openMenu(): Promise<void> {
    const before = new Set((await shownWindows()).map(({ id }) => id));
    await this.click('3');
    const large = ({ width, height }: Rectangle): boolean => width > 100 && height > 100;
    await expect
      .poll(async () => (await shownWindows()).filter(({ id }) => !before.has(id)).some(large))
      .toBe(true);
  }

  async press(...keys: readonly string[]): Promise<void> {
    await run('xdotool', ['key', '--delay', '100', ...keys]);
  }

  /** Tray icons are the innermost windows inside the panel's window. */
  async #findIcon(): Promise<Rectangle | undefined> {
    const lines = (await windowTree()).split('\n');
    const depthOf = (line: string): number => line.search(/\S/);
    const withinPanel = lines.flatMap((line, at) => {
      if (!line.includes(`"${this.#name}"`)) return [];
      const outside = depthOf(line);
      const rest = lines.slice(at + 1);
      const end = rest.findIndex((other) => /0x/.test(other) && depthOf(other) <= outside);
      return rest.slice(0, end === -1 ? rest.length : end);
    });
    return withinPanel
      .filter((line) => /electron|parley/i.test(line))
      .flatMap(windowOf)
      .findLast(({ width, height }) => width > 1 && height > 1);
  }
}

/** Empty if a window disappears while xwininfo walks the tree. */
async function windowTree(): Promise<string> {
  try {
    const { stdout } = await run('xwininfo', ['-root', '-tree']);
    return stdout;
  } catch (problem) {
    if (!/Bad (Window|Drawable)/.test(String(problem))) throw problem;
    return '';
  }
}

export interface ScreenPixels {
  readonly width: number;
  readonly height: number;
  readonly colours: Buffer;
}

interface ShownWindow extends Rectangle {
  readonly id: string;
}

/** Parses a line of xwininfo's tree. */
function windowOf(line: string): readonly ShownWindow[] {
  const found = /(0x\w+).* (\d+)x(\d+)\+-?\d+\+-?\d+ {2}\+(-?\d+)\+(-?\d+)$/.exec(line);
  if (found === null) return [];
  const [, id = '', ...sizes] = found;
  const [width = 0, height = 0, x = 0, y = 0] = sizes.map(Number);
  return [{ id, x, y, width, height }];
}

/** The viewable children of the root window. */
async function shownWindows(): Promise<readonly ShownWindow[]> {
  const { stdout } = await run('xwininfo', ['-root', '-children']);
  const windows = stdout.split('\n').flatMap(windowOf);
  const shown = await Promise.all(
    windows.map(async (window) => {
      const asked = await run('xwininfo', ['-id', window.id]).catch(() => ({ stdout: '' }));
      return asked.stdout.includes('IsViewable') ? [window] : [];
    }),
  );
  return shown.flat();
}
