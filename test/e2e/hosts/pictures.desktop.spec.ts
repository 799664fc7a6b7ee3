import { openChat, patient } from '../fixtures/pages/chat-page.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { makePicture } from '../fixtures/make-picture.ts';

test('pictures are decoded in a process of their own, which may die', async ({ page, running }) => {
  const { electron } = running;
  if (electron === undefined) throw new Error('this host is no Electron');
  const decoders = (): Promise<readonly number[]> =>
    electron.evaluate(({ app }) =>
      app.getAppMetrics().flatMap(({ name, pid }) => (name === 'Parley pictures' ? [pid] : [])),
    );
  // Not by a start: half of what a page takes would stay there for a minute.
  await page.waitForTimeout(1000);
  expect(await decoders()).toEqual([]);
  const attach = async (): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Attach a picture or a sound' }).click(),
    ]);
    const buffer = await makePicture(320, 240);
    await chooser.setFiles({ name: 'red.jpg', mimeType: 'image/jpeg', buffer });
  };
  await openChat(page);
  const attached = page.getByRole('list', { name: 'Attached' });
  await attach();
  await expect(attached.getByRole('img')).toHaveCount(1, patient);
  const [first, ...others] = await decoders();
  if (first === undefined) throw new Error('no process decodes pictures');
  expect(others).toEqual([]);
  const inMain = await electron.evaluate(() => {
    const report = process.report.getReport() as unknown as { sharedObjects: readonly string[] };
    return report.sharedObjects.filter((name) => name.includes('vips'));
  });
  expect(inMain).toEqual([]);

  process.kill(first, 'SIGKILL');
  await expect.poll(decoders).toEqual([]);
  await attach();
  await expect(attached.getByRole('img')).toHaveCount(2, patient);
  const [second] = await decoders();
  expect(second).not.toBe(first);
});
