import { expect, test } from '../fixtures/gallery-test.ts';

test('the mini window has the same keys, and Control+W closes it', async ({
  page,
  show,
  asked,
}) => {
  await show('mini-hold');
  await page.locator('.mini-lines').click();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+w');
  expect((await asked()).map(({ name, input }) => [name, input])).toEqual([
    ['talkKey', { key: 'press' }],
    ['talkKey', { key: 'release' }],
    ['interruptTalk', undefined],
    ['closeMini', undefined],
  ]);

  await test.step('Tab reaches every control', async () => {
    await show('mini-hold');
    const reached: (string | null)[] = [];
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const { activeElement: focused } = document;
          return focused?.getAttribute('aria-label') ?? focused?.textContent ?? null;
        }),
      );
    }
    expect(reached).toEqual([
      'Open the large window',
      'Close',
      'Hold to talk',
      'Interrupt',
      'Mute',
      'End',
    ]);
  });
});

test('the endings and reconnects of the mini window have no English in Chinese', async ({
  page,
  show,
}) => {
  for (const state of ['mini-ended', 'mini-reconnecting']) {
    await show(state, { language: 'zh' });
    expect(await page.locator('.mini-stage').innerText(), state).not.toMatch(/[a-z]{3,}/u);
  }
});
