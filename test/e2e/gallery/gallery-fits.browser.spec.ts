import type { Locator } from '@playwright/test';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { waitForPaint } from '../fixtures/pages/waits.ts';

test('the first steps fit a window of the default size', async ({ page, show, states }) => {
  // The panel of the model is longer; there the page scrolls.
  const steps = states.filter((name) => /^first-(?!computer)/u.test(name));
  expect(steps.length).toBeGreaterThan(5);
  const short: string[] = [];
  for (const [height, theme] of [
    [700, 'light'],
    [680, 'dark'],
  ] as const) {
    await page.setViewportSize({ width: 900, height });
    for (const language of languageIds) {
      for (const step of steps) {
        await show(step, { theme, language });
        const missing = await page
          .locator('.first-run')
          .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
        if (missing > 0) short.push(`${step}, ${language}, ${height}: ${missing}`);
      }
    }
  }
  expect(short).toEqual([]);
});

interface DialogBody {
  readonly over: number;
  readonly fade: number;
}

const isFadeWrong = ({ over, fade }: DialogBody): boolean => over > 0 !== fade > 0;

const readBodies = (dialog: Locator): Promise<readonly DialogBody[]> =>
  dialog.locator('.sheet-body').evaluateAll((all) =>
    all.map((body) => ({
      over: body.scrollHeight - body.clientHeight,
      fade: parseFloat(getComputedStyle(body).getPropertyValue('--fade-bottom')),
    })),
  );

test('a dialog keeps its buttons visible, and fades an edge with more content', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(180_000);
  const dialogs = states.filter((name) =>
    /^(?:export|compare|report|see-pick|see-choosing-part|chat-options|start-link)/u.test(name),
  );
  const wrong: string[] = [];
  let buttons = 0;
  let scrolled = 0;
  for (const language of languageIds) {
    for (const state of dialogs) {
      await page.setViewportSize({ width: 900, height: 700 });
      await show(state, { language });
      // Some dialogs are loaded late.
      const dialog = page.getByRole('dialog');
      await expect(dialog, state).toBeVisible();
      for (const width of [900, 380]) {
        await page.setViewportSize({ width, height: 700 });
        await waitForPaint(page);
        const here = `${state}, ${language}, ${width}`;
        for (const { name, seen } of await dialog
          .locator('.sheet-foot button, .confirm-buttons button')
          .evaluateAll((all) =>
            all.map((button) => {
              const { top, left, bottom, right } = button.getBoundingClientRect();
              const seen = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
              return { name: button.textContent, seen };
            }),
          )) {
          buttons += 1;
          if (!seen) wrong.push(`${here}: ${name} is outside`);
        }
        let bodies = await readBodies(dialog);
        // The fade follows a change of size some frames later if the machine is busy.
        for (let tries = 0; tries < 20 && bodies.some(isFadeWrong); tries += 1) {
          await waitForPaint(page);
          bodies = await readBodies(dialog);
        }
        for (const { over, fade } of bodies) {
          if (over > 0) scrolled += 1;
          if (isFadeWrong({ over, fade }))
            wrong.push(`${here}: ${over} more, and a fade of ${fade}`);
          if (over > 0 && width === 900 && state.startsWith('export'))
            wrong.push(`${here}: ${over} do not fit`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(buttons).toBeGreaterThan(20);
  expect(scrolled).toBeGreaterThan(5);
});

test('the list of recent talks reserves its place before it is loaded', async ({ page, show }) => {
  for (const height of [700, 680]) {
    await page.setViewportSize({ width: 900, height });
    // Shows three recent talks, which the next start expects.
    await show('idle-used');
    await expect(page.locator('.idle-recent li').first()).toBeVisible();
    await show('idle');
    await expect(page.locator('.idle-recent li')).toHaveCount(3);
    await expect(page.locator('.idle-recent li').first()).toBeHidden();
    const missing = await page
      .locator('.stage')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(missing, 'nothing has to be scrolled').toBeLessThanOrEqual(0);
  }
});
