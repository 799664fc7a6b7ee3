import { expect, test } from '../fixtures/gallery-test.ts';

test('large text gives the conversation the width, and a button opens the list', async ({
  page,
  show,
}) => {
  const open = page.getByRole('button', { name: 'Chats' });
  const list = page.getByRole('complementary', { name: 'Chats' });
  await show('chat-full');
  await expect(list).toBeVisible();
  await expect(open).toHaveCount(0);
  await show('chat-full', { text: 200 });
  await expect(list).toHaveCount(0);
  await expect(open).toBeVisible();
});

test('icons grow with the text on every screen', async ({ page, show }) => {
  const widths = async (state: string, text: number) => {
    await show(state, { text });
    return page
      .locator('.lucide')
      .evaluateAll((icons) =>
        icons.map((icon) => icon.getBoundingClientRect().width).filter((width) => width > 0),
      );
  };
  for (const state of ['see-sources', 'settings-privacy-asked', 'see-pick-window']) {
    const usual = await widths(state, 100);
    const large = await widths(state, 200);
    expect(Math.min(...large), state).toBeGreaterThanOrEqual(2 * Math.min(...usual));
  }
});

test('the mini window keeps its buttons visible with large text', async ({ page, show }) => {
  await page.setViewportSize({ width: 420, height: 216 });
  for (const [state, names] of [
    ['mini-hold', ['Hold to talk', 'Interrupt', 'Mute', 'End']],
    ['mini-live-parley', ['Interrupt', 'Mute', 'End']],
  ] as const) {
    await show(state, { text: 200 });
    for (const name of names) {
      const button = page.getByRole('button', { name, exact: true });
      await expect(button).toBeInViewport({ ratio: 1 });
      const box = await button.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
    }
  }
});

test('the dock stays visible in every state at 1280 by 800 with double text size', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  const hidden: string[] = [];
  let docks = 0;
  for (const state of states.filter((name) =>
    /^(?:idle|queued|live|see|ended|reconnecting)/u.test(name),
  )) {
    await show(state, { text: 200 });
    const dock = page.locator('.dock');
    if ((await dock.count()) === 0) continue;
    docks += 1;
    const outside = await dock.locator('button:visible').evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { top, left, bottom, right, width } = button.getBoundingClientRect();
        const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
        return inside || width === 0
          ? []
          : [button.getAttribute('aria-label') ?? button.textContent];
      }),
    );
    for (const name of outside) hidden.push(`${state}: ${name}`);
  }
  expect(docks).toBeGreaterThan(10);
  expect(hidden).toEqual([]);
});
