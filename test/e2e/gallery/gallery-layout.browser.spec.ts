import { chromium, type Locator } from '@playwright/test';
import { findChromium } from '../../../scripts/lib/test-tools.mjs';
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

test('icons of sources, privacy and the picker grow with the text', async ({ page, show }) => {
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

/** Headless engines hide scrollbars, so this test starts one that shows them. */
test('no content shifts when a scrollbar appears or disappears', async ({ gallery, states }) => {
  test.setTimeout(300_000);
  const found = findChromium();
  if ('reason' in found) throw new Error(`No browser to test in: ${found.reason}`);
  const browser = await chromium.launch({
    executablePath: found.executable,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 680 } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(gallery.page.url());
    await page.waitForFunction(() => window.gallery !== undefined);
    expect(await page.evaluate(scrollbarWidth), 'a scrollbar has a width here').toBeGreaterThan(0);
    const moved = new Map<string, string>();
    const looked = new Set<string>();
    for (const state of states) {
      await page.evaluate((state) => window.gallery?.show(state, 'light', 'en', 100), state);
      await waitForPaint(page);
      const { names, shifted } = await page.evaluate(shiftsByScrollbars, [...looked]);
      for (const name of names) looked.add(name);
      for (const name of shifted) moved.set(name, state);
    }
    test
      .info()
      .annotations.push({ type: 'measured', description: `${looked.size} places that scroll` });
    expect(looked.size).toBeGreaterThan(5);
    expect([...moved]).toEqual([]);
  } finally {
    await browser.close();
  }
});

function scrollbarWidth(): number {
  const box = document.createElement('div');
  Object.assign(box.style, { width: '100px', height: '100px', overflow: 'scroll' });
  document.body.append(box);
  const width = box.offsetWidth - box.clientWidth;
  box.remove();
  return width;
}

/** Runs in the page: measures each scrolling element without and with a scrollbar. */
function shiftsByScrollbars(before: readonly string[]): {
  readonly names: readonly string[];
  readonly shifted: readonly string[];
} {
  const names: string[] = [];
  const shifted: string[] = [];
  const seen = new Set(before);
  for (const place of document.querySelectorAll<HTMLElement>('*')) {
    const { overflowY, display } = getComputedStyle(place);
    if (!['auto', 'scroll'].includes(overflowY) || display.startsWith('inline')) continue;
    if (!place.checkVisibility() || place.matches('textarea, pre, html, body')) continue;
    // A menu is laid out each time it opens.
    if (place.matches('[role="menu"]')) continue;
    const name = place.className === '' ? place.tagName.toLowerCase() : place.className;
    if (seen.has(name)) continue;
    seen.add(name);
    names.push(name);
    const room = (): number => place.clientWidth;
    const { overflow } = place.style;
    place.style.overflowY = 'hidden';
    // Hidden overflow keeps the gutter.
    const without = room();
    place.style.overflowY = 'scroll';
    const withBar = room();
    place.style.overflow = overflow;
    if (Math.abs(without - withBar) > 0.5) shifted.push(`${name}: ${without} and ${withBar} wide`);
  }
  return { names, shifted };
}
