import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { allowInspecting } from '../../../scripts/lib/fuses.mjs';
import { shippedProgram } from '../fixtures/inspectable-package.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { UpdateServer } from '../../contract/update-server.ts';
import { sampleFeed } from '../../fakes/fake-updates.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { goToAbout } from '../fixtures/pages/settings-screen.ts';

interface Release {
  readonly folder: string;
  /** `wanted` replaces `own`, the package's version, and must be as long. */
  readonly version: { readonly own: string; readonly wanted: string };
  readonly settings: object;
}

/** Lays out a build with an update feed, like an unpacked tar.gz or a mounted AppImage, with the debugger allowed. */
async function layOutRelease({ folder, version, settings }: Release): Promise<string> {
  cpSync(dirname(shippedProgram), folder, { recursive: true, verbatimSymlinks: true });
  const resources = join(folder, 'resources');
  writeFileSync(join(resources, 'update-feed.json'), JSON.stringify(settings));
  const asar = join(resources, 'app.asar');
  // The archive contains the version as text; replacing it by one of the same length moves no file.
  const { own, wanted } = version;
  if (own.length !== wanted.length) throw new Error('A version of another length moves all files.');
  let text = readFileSync(asar, 'latin1');
  // JSON has double quotes, the bundler backticks.
  for (const quote of ['"', '`']) {
    const quoted = (inside: string): string => `${quote}${inside}${quote}`;
    if (!text.includes(quoted(own))) throw new Error(`No ${quote} contains the version.`);
    text = text.replaceAll(quoted(own), quoted(wanted));
  }
  writeFileSync(asar, text, 'latin1');
  const program = join(folder, 'parley');
  await allowInspecting(program);
  return program;
}

/** A script that starts the program as an AppImage does: with the paths of the AppImage and of its mount in the environment. */
function createAppImageScript(folder: string): Buffer {
  const text = [
    '#!/bin/sh',
    'APPIMAGE=$(realpath "$0")',
    `APPDIR='${folder}'`,
    'export APPIMAGE APPDIR',
    'exec "$APPDIR/parley" "$@"',
  ];
  return Buffer.from(`${text.join('\n')}\n`);
}

/** The processes whose executable is now at this path. */
function findProcesses(program: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/exe`) === program;
      } catch {
        return false;
      }
    });
}

const own = manifest.version;
const next = `9${own.slice(1)}`;
const fileName = `Parley-${next}-linux-${process.arch === 'x64' ? 'x86_64' : process.arch}.AppImage`;
const archiveName = `Parley-${next}-linux-${process.arch}.tar.gz`;
const slow = { timeout: 120_000 };

test('an unsigned version is refused, a signed one is installed, and going back restores the old one', async ({
  home,
  host,
  language,
}) => {
  test.skip(process.platform !== 'linux', 'Only on Linux Parley replaces itself.');
  test.setTimeout(300_000);
  const server = new UpdateServer();
  await server.open();
  const settings = {
    feed: server.url.href,
    key: server.key.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
  const folders = { own: join(home, 'mounted-own'), next: join(home, 'mounted-next') };
  const programs = {
    own: await layOutRelease({ folder: folders.own, version: { own, wanted: own }, settings }),
    next: await layOutRelease({ folder: folders.next, version: { own, wanted: next }, settings }),
  };
  const running = (): readonly number[] => Object.values(programs).flatMap(findProcesses);
  const image = join(home, 'Parley’s "new" 更新.AppImage');
  writeFileSync(image, createAppImageScript(folders.own), { mode: 0o755 });
  const content = createAppImageScript(folders.next);
  const beside = (): readonly string[] =>
    readdirSync(dirname(image))
      .filter((name) => name.startsWith('Parley’s'))
      .toSorted();
  const open = (program: string) =>
    openDesktop({ kind: host, language, home: join(home, 'state'), program });
  const asked = (): number => server.requests.filter(({ url }) => url.endsWith(fileName)).length;
  const publish = (): void => {
    const now = Date.now();
    const sha512 = createHash('sha512').update(content).digest('base64');
    const files = [fileName, archiveName].map((url) => ({ url, sha512, size: content.length }));
    server.putFeed(
      sampleFeed({
        version: next,
        files,
        releaseDate: new Date(now).toISOString(),
        validUntil: new Date(now + 86_400_000).toISOString(),
        releaseNotes: { en: 'It can do more.' },
      }),
    );
  };

  try {
    const first = await open(image);
    await test.step('an unsigned feed and a wrong file change nothing', async () => {
      const { page } = first;
      await goToAbout(page);
      publish();
      server.files.set('latest-linux.yml.sig', Buffer.from('none'));
      await check(page);
      await expect(updates(page).getByRole('alert')).toContainText('isn’t signed');
      expect(asked()).toBe(0);
      publish();
      server.files.set(fileName, Buffer.alloc(content.length));
      await check(page);
      await expect(updates(page).getByRole('alert')).toContainText('isn’t what its makers', slow);
      expect(beside()).toEqual(['Parley’s "new" 更新.AppImage']);
      expect(versionOf(image)).toBe(own);
    });

    await test.step('a signed version is downloaded and installed, with its release notes', async () => {
      const { page } = first;
      server.files.set(fileName, content);
      await check(page);
      const region = updates(page);
      await expect(region.getByRole('status')).toHaveText(
        new RegExp(`Parley ${next} is ready`),
        slow,
      );
      await expect(region).toContainText('It can do more.');
      expect(findProcesses(programs.own).length).toBeGreaterThan(0);
      await first.close();
      expect(beside()).toEqual([
        'Parley’s "new" 更新.AppImage',
        `Parley’s "new" 更新.AppImage.previous-${own}`,
      ]);
    });

    const second = await open(image);
    await test.step('the next start is the new version, which can go back', async () => {
      const { page } = second;
      await goToAbout(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Parley ${next}`);
      const ended = new Promise((resolve) => second.electron?.process().once('exit', resolve));
      await page.getByRole('button', { name: `Go back to ${own}` }).click();
      await ended;
      await expect.poll(() => findProcesses(programs.own).length, slow).toBeGreaterThan(0);
      expect(versionOf(image)).toBe(own);
      expect(beside()).toEqual(['Parley’s "new" 更新.AppImage']);
    });
    await test.step('the installed app quits', async () => {
      await expect.poll(() => existsSync(join(home, 'state'))).toBe(true);
      for (const pid of running()) process.kill(pid, 'SIGTERM');
      await expect.poll(() => running().length, slow).toBe(0);
    });

    await test.step('an unpacked archive only shows the new version', async () => {
      const before = readFileSync(join(folders.own, 'resources/app.asar')).length;
      const third = await open(programs.own);
      const { page } = third;
      await goToAbout(page);
      publish();
      await check(page);
      await expect(updates(page).getByRole('status')).toContainText(
        `Parley ${next} is available. Download it`,
      );
      await expect(updates(page).getByRole('button', { name: 'Download' })).toBeVisible();
      await third.close();
      expect(server.requests.filter(({ url }) => url.endsWith(archiveName))).toHaveLength(0);
      expect(readFileSync(join(folders.own, 'resources/app.asar'))).toHaveLength(before);
    });
  } finally {
    for (const pid of running()) process.kill(pid, 'SIGKILL');
    await server.close();
  }
});

const updates = (page: Page) => page.getByRole('region', { name: 'Updates' });

async function check(page: Page): Promise<void> {
  await updates(page).getByRole('button', { name: 'Check for updates' }).click();
}

function versionOf(image: string): string {
  const command = ['--command', '--ozone-platform=headless', '--no-sandbox', '--', '--version'];
  return execFileSync(image, command, { encoding: 'utf8' }).trim();
}
