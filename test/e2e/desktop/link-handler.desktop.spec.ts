import { execFile } from 'node:child_process';
import { access, chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';
import { openSection } from '../fixtures/pages/settings-screen.ts';
import { expect, test } from './desktop-test.ts';

const run = promisify(execFile);

const openers = [
  { name: 'xdg-open', words: [] },
  { name: 'gio', words: ['open'] },
] as const;

for (const { name, words } of openers) {
  test(`${name} opens links with the running Parley only while the setting is on`, async ({
    desktop,
  }) => {
    const missing = [name, 'xdg-mime'].find((program) => which(program) === undefined);
    test.skip(missing !== undefined, `${missing} is not installed`);
    const { home, start } = desktop;
    const environment = {
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      PARLEY_STATE_DIR: join(home, 'state'),
    };
    const program = join(home, 'Parley.AppImage');
    const { page, electron } = await start({ environment: { ...environment, APPIMAGE: program } });
    // Stands in for an AppImage. Root needs --no-sandbox, which the desktop entry does not contain.
    const path = await electron.evaluate(() => process.execPath);
    const root = process.getuid?.() === 0 ? '--no-sandbox' : '';
    await writeFile(program, `#!/bin/sh\nexec "${path}" ${root} "$@"\n`);
    await chmod(program, 0o755);

    // An unknown desktop makes both tools follow the shared XDG rules.
    const unknownDesktop = {
      ...process.env,
      ...environment,
      XDG_CURRENT_DESKTOP: '',
      BROWSER: 'false',
    };
    const open = () =>
      run(name, [...words, 'parley://start?preset=coach'], {
        env: unknownDesktop,
        timeout: 30_000,
      });
    const handler = async (): Promise<string> => {
      const asked = ['query', 'default', 'x-scheme-handler/parley'];
      return (await run('xdg-mime', asked, { env: unknownDesktop })).stdout.trim();
    };
    expect(await handler()).toBe('');
    await openSection(page, 'Desktop');
    const links = page.getByRole('switch', { name: 'Open parley:// links with Parley' });
    await links.click();
    await expect.poll(handler).toBe('parley-links.desktop');
    await open();
    const form = page.getByRole('dialog', { name: 'Start a talk?' });
    await expect(form).toContainText('Reading and pronunciation coach');
    await form.getByRole('button', { name: 'Not now' }).click();

    await links.click();
    await expect.poll(handler).toBe('');
    const entry = join(home, 'data', 'applications', 'parley-links.desktop');
    await expect(access(entry)).rejects.toThrow('ENOENT');
    expect(await readFile(join(home, 'mimeapps.list'), 'utf8')).not.toContain('parley');
    await expect(open()).rejects.toThrow(name);
    await expect(form).toHaveCount(0);
  });
}
