import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures/host-test.ts';
import { openAbout } from '../fixtures/pages/open-about.ts';

test('loads PortAudio from the package, not from where it was built', async ({
  page,
  electron,
}) => {
  await openAbout(page);
  await expect(page.getByRole('status')).toHaveText(['Loads', 'Loads']);
  const pid = await electron.evaluate(() => process.pid);
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const mapped = new Set(
    maps.match(/\/\S*(?:libportaudio\S*|naudiodon\.node|parley_sound\.node|libvips-cpp\S*)/g),
  );
  expect(mapped.size).toBe(4);
  for (const file of mapped) expect(file).toContain('/resources/app.asar.unpacked/');
});
