import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import manifest from '../../../package.json' with { type: 'json' };
import { UpdateServer } from '../../contract/update-server.ts';
import { sampleFeed } from '../../fakes/sample-feed.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { layOutRelease, packRelease, processesOf } from '../fixtures/installed-folder.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { goToAbout } from '../fixtures/pages/open-about.ts';
import { stateDirEnvironment } from '../fixtures/state-dir-environment.ts';

const own = manifest.version;
const next = `9${own.slice(1)}`;
const fileName = `Parley-${next}-linux-${process.arch}.tar.gz`;
const slow = { timeout: 120_000 };

test('a version is fetched, refused where it is another one, in place after quitting, and left again', async ({
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
  const folder = join(home, 'Parley’s "new" 更新');
  const program = await layOutRelease({ folder, version: { own, wanted: own }, settings });
  const beside = (): readonly string[] =>
    readdirSync(dirname(folder)).filter((name) => name.startsWith('Parley’s'));
  const open = () => openDesktop({ kind: host, language, home: join(home, 'state'), program });
  const asked = (): number => server.asked.filter(({ url }) => url.endsWith(fileName)).length;

  await test.step('a release is made', async () => {
    const made = join(home, `Parley-${next}-linux-${process.arch}`);
    await layOutRelease({ folder: made, version: { own, wanted: next }, settings });
    packRelease(made, join(home, fileName));
    server.files.set(fileName, readFileSync(join(home, fileName)));
  });
  const promise = (part: object = {}): void => {
    const content = server.files.get(fileName) ?? Buffer.alloc(0);
    const sha512 = createHash('sha512').update(content).digest('base64');
    const files = [{ url: fileName, sha512, size: content.length }];
    const now = Date.now();
    server.putFeed(
      sampleFeed({
        version: next,
        files,
        releaseDate: new Date(now).toISOString(),
        validUntil: new Date(now + 86_400_000).toISOString(),
        releaseNotes: { en: 'It can do more.' },
        ...part,
      }),
    );
  };

  try {
    const first = await open();
    await test.step('a feed that lies changes nothing', async () => {
      const { page } = first;
      await goToAbout(page);
      promise();
      server.files.set('latest-linux.yml.sig', Buffer.from('none'));
      await check(page);
      await expect(updates(page).getByRole('alert')).toContainText('isn’t signed');
      expect(asked()).toBe(0);
      const other = `9${next}`;
      promise({ version: other });
      await check(page);
      await expect(updates(page).getByRole('alert')).toContainText(
        `What was offered as Parley ${other} is Parley ${next}.`,
        slow,
      );
      expect(beside()).toEqual(['Parley’s "new" 更新']);
    });

    await test.step('it is fetched and made ready, and says what is new', async () => {
      const { page } = first;
      promise();
      await check(page);
      const region = updates(page);
      await expect(region.getByRole('status')).toHaveText(
        new RegExp(`Parley ${next} is ready`),
        slow,
      );
      await expect(region).toContainText('It can do more.');
      expect(processesOf(program).length).toBeGreaterThan(0);
      await first.close();
      expect(beside().toSorted()).toEqual([
        'Parley’s "new" 更新',
        `Parley’s "new" 更新.previous-${own}`,
      ]);
    });

    const second = await open();
    await test.step('the next start is the new version, which goes back to the one before', async () => {
      const { page } = second;
      await goToAbout(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Parley ${next}`);
      // Who has no window has a command, which replaces nothing under an open one.
      const update = (word: string) => commandOf(program, join(home, 'state'), 'update', word);
      expect(update('status')).toEqual([0, `${next}, ${own} before\n`]);
      expect(update('back')).toEqual([1, 'Parley is open: quit it first, or go back in About.\n']);
      const ended = new Promise((resolve) => second.electron?.process().once('exit', resolve));
      await page.getByRole('button', { name: `Go back to ${own}` }).click();
      await ended;
      // It opens by itself.
      await expect.poll(() => processesOf(program).length, slow).toBeGreaterThan(0);
      expect(versionOf(program)).toBe(own);
    });
    await test.step('and quits as any other', async () => {
      await expect.poll(() => existsSync(join(home, 'state'))).toBe(true);
      await expect.poll(() => beside(), slow).toEqual(['Parley’s "new" 更新']);
      for (const pid of processesOf(program)) process.kill(pid, 'SIGTERM');
      await expect.poll(() => processesOf(program).length, slow).toBe(0);
    });
  } finally {
    for (const pid of processesOf(program)) process.kill(pid, 'SIGKILL');
    await server.close();
  }
});

const updates = (page: Page) => page.getByRole('region', { name: 'Updates' });

async function check(page: Page): Promise<void> {
  await updates(page).getByRole('button', { name: 'Check for updates' }).click();
}

function versionOf(program: string): string {
  return execFileSync(program, [...asCommand, '--version'], { encoding: 'utf8' }).trim();
}

/** Its exit code, and what it said. */
function commandOf(program: string, home: string, ...words: readonly string[]) {
  const env = { ...process.env, ...stateDirEnvironment(home), XDG_CONFIG_HOME: home };
  const quiet = ['--log-level=3', '--disable-gpu'];
  const ran = spawnSync(program, [...quiet, ...asCommand, ...words], { env, encoding: 'utf8' });
  return [ran.status, ran.stdout + ran.stderr];
}

const asCommand = ['--command', '--ozone-platform=headless', '--no-sandbox', '--'];
