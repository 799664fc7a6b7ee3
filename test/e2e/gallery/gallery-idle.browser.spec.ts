import { expect, test } from '../fixtures/gallery-test.ts';

test('the start screen changes the server and leads to adding one', async ({
  page,
  show,
  asked,
}) => {
  await show('idle-used');
  await page.getByRole('button', { name: 'Server: Studio in the attic' }).click();
  await page.getByRole('menuitemradio', { name: 'Demonstration' }).click();
  await expect(page.getByRole('button', { name: 'Server: Demonstration' })).toBeVisible();
  expect((await asked()).filter(({ name }) => name === 'changeSettings')).toEqual([
    { name: 'changeSettings', input: { endpoints: { chosen: 'embedded' } } },
  ]);
  await expect(page.getByText(/^The demonstration runs on this machine/)).toBeVisible();

  await page.getByRole('button', { name: 'Server: Demonstration' }).click();
  await page.getByRole('menuitem', { name: 'Add a server…' }).click();
  await expect(page.getByRole('form', { name: 'New server' })).toBeVisible();
});

test('the list of microphones is read only when it is opened', async ({ page, show, asked }) => {
  await show('idle');
  const reads = async () => (await asked()).filter(({ name }) => name === 'soundDevices').length;
  expect(await reads()).toBe(0);
  await page.getByRole('button', { name: 'Microphone: System microphone' }).click();
  await expect(page.getByRole('menuitemradio')).toHaveCount(1);
  expect(await reads()).toBe(1);
});

test('the level meter opens the microphone only on request and while the window has the focus', async ({
  page,
  show,
  asked,
}) => {
  const opened = async () =>
    (await asked()).filter(({ name }) => name === 'meterMicrophone').map(({ input }) => input);
  const use = (used: boolean) =>
    page.evaluate((used) => {
      document.hasFocus = () => used;
      window.dispatchEvent(new Event(used ? 'focus' : 'blur'));
    }, used);
  await show('idle');
  expect(await opened()).toEqual([]);
  await page.getByRole('button', { name: 'Show level' }).click();
  await expect(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible();
  expect(await opened()).toEqual([{ on: true }]);
  await use(false);
  await expect(page.getByRole('meter')).toHaveCount(0);

  await test.step('the choice is remembered, and the microphone closes when the Talk screen is left', async () => {
    await use(true);
    await show('idle');
    await expect(page.getByRole('meter')).toBeVisible();
    expect(await opened()).toEqual([{ on: true }]);
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await expect(page.getByRole('meter')).toHaveCount(0);
  });

  await show('idle');
  await page.getByRole('button', { name: 'Hide level' }).click();
  await show('idle');
  expect(await opened()).toEqual([]);
});

test('a click opens a recent talk', async ({ page, show, asked }) => {
  await show('idle-used');
  const recent = page.getByRole('navigation', { name: 'Recent talks' });
  await expect(recent.getByRole('button')).toHaveCount(3);
  await recent.getByRole('button', { name: /^How far a lighthouse/ }).click();
  await expect(page.getByRole('button', { name: 'History', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  expect(await asked()).toContainEqual({ name: 'talkRecord', input: { id: 'light' } });
});
