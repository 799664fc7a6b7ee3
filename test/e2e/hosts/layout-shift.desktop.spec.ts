import { expect, test } from '../fixtures/host-test.ts';
import { layoutShifts } from '../fixtures/pages/layout-shifts.ts';
import { putSeeds, settledSettings } from '../tasks/seeds.ts';

test.use({ stored: settledSettings });

test('the first screen does not shift when its font and the core’s answers arrive', async ({
  home,
  start,
}) => {
  await putSeeds(home);
  const open = async () => {
    const { page } = await start();
    await expect(page.getByRole('heading', { name: 'Ready when you are.' })).toBeVisible();
    const recents = page.getByRole('navigation', { name: 'Recent talks' });
    await expect(recents.getByRole('button')).toHaveCount(1);
    return page;
  };
  // The second start knows the number of talks from the first.
  await open();
  expect(await layoutShifts(await open())).toEqual([]);
});
