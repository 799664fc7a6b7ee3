import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { which } from '../../../scripts/lib/which.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';

const run = promisify(execFile);

/** Panels that show the old kind of tray (XEmbed), and how each is told to show nothing else. */
const panels = {
  tint2: {
    arguments: (file: string) => ['-c', file],
    settings: 'panel_items = S\npanel_size = 200 40\n',
  },
  stalonetray: {
    arguments: (file: string) => ['--config', file],
    settings: 'geometry 4x1-0-0\nicon_size 24\nkludges force_icons_size\n',
  },
} as const;

export type PanelName = keyof typeof panels;

export const panelNames = ['tint2', 'stalonetray'] as const satisfies readonly PanelName[];

/** What is missing for such a panel here. */
export function missingPanelTool(name: PanelName): string | undefined {
  return [name, 'xwininfo', 'xdotool'].find((program) => which(program) === undefined);
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A real panel on the test's screen. */
export class XPanel {
  readonly #name: PanelName;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(name: PanelName, folder: string, lifetime: Lifetime) {
    this.#name = name;
    this.#folder = folder;
    lifetime.add(() => this.go());
  }

  async come(): Promise<void> {
    const { arguments: words, settings } = panels[this.#name];
    const file = join(this.#folder, `${this.#name}rc`);
    await writeFile(file, settings);
    this.#child = spawn(this.#name, words(file), { stdio: 'ignore' });
    await once(this.#child, 'spawn');
  }

  async go(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** Where its one icon is seen on the screen; waits until there is one. */
  async icon(): Promise<Rectangle> {
    let found: Rectangle | undefined;
    await expect
      .poll(async () => {
        found = await this.#findIcon();
        return found;
      })
      .toBeDefined();
    if (found === undefined) throw new Error(`There is no icon in ${this.#name}.`);
    return found;
  }

  /** As a person's hand does it. */
  async click(): Promise<void> {
    const { x, y, width, height } = await this.icon();
    const middle = [x + width / 2, y + height / 2].map((place) => String(Math.round(place)));
    await run('xdotool', ['mousemove', ...middle, 'click', '1']);
  }

  /** The innermost windows within the panel's are those of other programs. */
  async #findIcon(): Promise<Rectangle | undefined> {
    const { stdout } = await run('xwininfo', ['-root', '-tree']);
    const lines = stdout.split('\n');
    const depthOf = (line: string): number => line.search(/\S/);
    const at = lines.findIndex((line) => line.includes(`"${this.#name}"`));
    if (at === -1) return undefined;
    const outside = depthOf(lines[at] ?? '');
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((line) => /0x/.test(line) && depthOf(line) <= outside);
    const windows = rest.slice(0, end === -1 ? rest.length : end).flatMap((line) => {
      const size = / (\d+)x(\d+)\+-?\d+\+-?\d+ {2}\+(-?\d+)\+(-?\d+)$/.exec(line);
      if (size === null || !/electron|parley/i.test(line)) return [];
      const [width = 0, height = 0, x = 0, y = 0] = size.slice(1).map(Number);
      return width > 1 && height > 1 ? [{ x, y, width, height }] : [];
    });
    return windows.at(-1);
  }
}
