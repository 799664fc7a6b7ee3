import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures/host-test.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';

test('the package loads PortAudio from its own folder', async ({ page, electron }) => {
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
  const pid = await electron.evaluate(() => process.pid);
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const mapped = new Set(
    maps.match(/\/\S*(?:libportaudio\S*|naudiodon\.node|parley_sound\.node|libvips-cpp\S*)/g),
  );
  // libvips is not loaded: pictures are decoded in WebAssembly.
  expect(mapped.size).toBe(3);
  expect([...mapped].join(' ')).not.toContain('libvips');
  for (const file of mapped) expect(file).toContain('/resources/app.asar.unpacked/');
});

test('the key helper loads its library from the package and starts listening', async ({
  page,
  electron,
}) => {
  await openAbout(page);
  const pid = await electron.evaluate(async ({ app, utilityProcess }) => {
    const file = `${app.getAppPath()}/out/main/key-helper.js`;
    const helper = utilityProcess.fork(file, ['F8'], { stdio: 'ignore' });
    const said = await new Promise((resolve) => helper.once('message', resolve));
    if (JSON.stringify(said) !== '{"kind":"ready"}') throw new Error(JSON.stringify(said));
    return helper.pid;
  });
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  expect(maps).toMatch(/\/resources\/app\.asar\.unpacked\/\S+\/uiohook-napi\.node/);
});
