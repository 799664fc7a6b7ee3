import { expect, test } from '../fixtures/gallery-test.ts';

test('every step of the picture budget shows its minutes and is stored', async ({
  page,
  show,
  asked,
}) => {
  await show('settings-seeing-long');
  const slider = page.getByRole('slider', { name: 'Memory for pictures' });
  const steps: (string | null)[] = [await slider.getAttribute('aria-valuetext')];
  await slider.focus();
  for (let step = 1; step < 5; step += 1) {
    await slider.press('ArrowRight');
    steps.push(await slider.getAttribute('aria-valuetext'));
  }
  // The first two last for the whole session.
  const minutes = ['5', '5', '3.8', '2.5', '1.5'];
  expect(steps).toEqual(minutes.map((each) => `about ${each} min`));
  await slider.press('Tab');
  const changes = async () =>
    (await asked()).filter(({ name }) => name === 'changeSettings').map(({ input }) => input);
  await expect.poll(async () => (await changes()).at(-1)).toEqual({ vision: { budget: 5 } });
});

test('the settings say that a legacy server gets every picture', async ({ page, show }) => {
  await show('settings-seeing-every-append');
  const note = page.locator('.budget-note');
  await expect(note).toContainText('Workstation gets a picture with every step of sound.');
  await expect(note).toContainText('nothing can be saved');
});
