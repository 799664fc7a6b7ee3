import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { expect, test } from '../fixtures/gallery-test.ts';
import { overflowOf } from '../fixtures/pages/page-checks.ts';

/** The rules that depend on the theme. */
const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

async function injectAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

function axeViolations(
  page: Page,
  what: 'all' | 'colours',
  selector = 'html',
): Promise<readonly string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(what === 'all' ? {} : colourRules),
  };
  return page.evaluate(
    async ({ options, selector }) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const { violations } = await run(selector, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`),
      );
    },
    { options, selector },
  );
}

/** 320 is the width of a page in a window of 640 pixels at 200 % zoom. */
const smallWindows = [
  { width: 320, height: 600 },
  { width: 450, height: 340 },
  { width: 380, height: 760 },
] as const;

test('every state passes axe (in the dark theme its colour rules), fits small windows, and grows with its text', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(600_000);
  const barriers: string[] = [];
  const tooSmall: string[] = [];
  const tooWide: string[] = [];
  const restyle = async (theme: 'light' | 'dark', textSize = 100): Promise<void> => {
    await page.evaluate(([theme, size]) => window.gallery?.restyle(theme, size), [
      theme,
      textSize,
    ] as const);
  };
  // All checks run in one pass, because showing a state is the slow part.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await injectAxe(page);
  for (const state of states) {
    await page.setViewportSize({ width: 900, height: 680 });
    await show(state);
    for (const [theme, what] of [
      ['light', 'all'],
      ['dark', 'colours'],
    ] as const) {
      await restyle(theme);
      const found = await axeViolations(page, what);
      barriers.push(...found.map((barrier) => `${state}, ${theme}: ${barrier}`));
    }
    for (const size of smallWindows) {
      await page.setViewportSize(size);
      if ((await overflowOf(page)) > 0) tooWide.push(`${state} at ${size.width}`);
    }
    tooSmall.push(...(await smallTargets(page)).map((element) => `${state}: ${element}`));
    await page.setViewportSize({ width: 640, height: 600 });
    await restyle('light', 200);
    if ((await overflowOf(page)) > 0) tooWide.push(`${state} with text of twice its size`);
  }
  expect.soft(barriers).toEqual([]);
  expect.soft(tooWide).toEqual([]);
  expect.soft(tooSmall).toEqual([]);
});

const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, summary, [role="option"]')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return element.checkVisibility() && Math.min(width, height) < 43.9 ? [element.outerHTML] : [];
    }),
  );

test('the focus of a button that disappears goes to the part that replaces it', async ({
  page,
  show,
}) => {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const controls = page.getByRole('region', { name: 'Controls' });
  await show('mini-idle');
  await page.getByRole('button', { name: 'Start talking' }).focus();
  await page.evaluate(() =>
    window.gallery?.emit({ name: 'talkState', payload: { phase: 'connecting' } }),
  );
  await expect(controls).toBeFocused();
  await show('ended-by-you');
  await press('Done');
  await expect(controls).toBeFocused();
  await show('ended-asked');
  await press('Done');
  await expect(controls).toBeFocused();
  // A built-in server has no form that would take the focus.
  await show('ended-unreached');
  await press('Check the server');
  await expect(page.getByRole('main', { name: 'Settings' })).toBeFocused();
  await press('Add a server');
  await press('Cancel');
  await expect(page.getByRole('button', { name: 'Add a server' })).toBeFocused();
});

const controls =
  'button, a[href], summary, input, textarea, select, [role="option"], [role^="menuitem"]';

test('a screen reader hears the title of a sheet once', async ({ page, show }) => {
  for (const [state, title] of [
    ['report', 'Report a problem'],
    ['shortcuts', 'Keyboard shortcuts'],
    ['see-pick-screen', 'Which screen?'],
  ] as const) {
    await show(state);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(title, { exact: true }).last()).toBeVisible();
    await expect(dialog.getByRole('heading', { name: title })).toHaveCount(1);
  }
});

test('a screen reader is given the reason why a talk waits or ended', async ({ page, show }) => {
  const status = page.getByRole('region', { name: 'This talk' }).locator('[aria-live]');
  for (const [state, detail] of [
    ['queued', /Place \d+ in queue/u],
    ['reconnecting-after-words', /^The connection was cut\./u],
    ['ended-unreached', /^Nothing listens at /u],
    ['ended-by-you', /^$/u],
  ] as const) {
    await show(state);
    await expect(status).toHaveText(detail);
  }
});

/** Marks one control of each new kind. */
const newKindAttribute = 'data-fresh-kind';

/**
 * Marks one visible control of each kind not seen before (by element, classes, attributes and parents), and puts a large
 * letter beside each of its icons, so that axe checks the icon's colour. Returns the kinds.
 */
function markKinds([selector, mark, before]: readonly [
  string,
  string,
  readonly string[],
]): readonly string[] {
  const seen = new Set(before);
  const found: string[] = [];
  for (const element of document.querySelectorAll(selector)) {
    element.removeAttribute(mark);
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { parentElement: parent, attributes } = element;
    const state = [...attributes]
      .filter(({ name }) =>
        /^(?:class|role|data-|aria-(?:pressed|checked|selected|current|expanded|disabled)$)/u.test(
          name,
        ),
      )
      .map(({ name, value }) => `${name}=${value.replaceAll(/\d+/gu, '')}`)
      .toSorted();
    const kind = [
      element.tagName,
      parent?.className,
      parent?.parentElement?.className,
      ...state,
    ].join(' ');
    if (seen.has(kind)) continue;
    seen.add(kind);
    found.push(kind);
    element.setAttribute(mark, '');
    for (const icon of element.querySelectorAll('svg')) {
      const letter = Object.assign(document.createElement('span'), { textContent: 'x' });
      letter.style.cssText = 'font-size: 24px; color: inherit';
      icon.after(letter);
    }
  }
  return found;
}

/** The marked buttons and links that show no focus; fields show it by their frame, menu items by their background. */
function unfocused(mark: string): readonly string[] {
  const enabled = ':not(:disabled, [aria-disabled="true"])';
  return [...document.querySelectorAll(`:is(button, a, summary)[${mark}]${enabled}`)]
    .filter((element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      return !hasOutline && boxShadow === 'none';
    })
    .map((element) => `no focus: ${element.outerHTML.slice(0, 120)}`);
}

/** A function that forces pseudo-classes on the marked controls. */
async function pseudoClasses(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  return async (forcedPseudoClasses: string[]): Promise<void> => {
    const { root } = await session.send('DOM.getDocument', { depth: 0 });
    const { nodeIds } = await session.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: `[${newKindAttribute}]`,
    });
    await Promise.all(
      nodeIds.map((nodeId) =>
        session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }),
      ),
    );
  };
}

test('every kind of control keeps enough contrast while hovered, pressed and focused, in both themes', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(600_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await injectAxe(page);
  const force = await pseudoClasses(page);
  const known: string[] = [];
  const barriers: string[] = [];
  for (const state of states) {
    await show(state);
    // A kind of control looks the same in every state.
    const kinds = await page.evaluate(markKinds, [controls, newKindAttribute, known] as const);
    if (kinds.length === 0) continue;
    known.push(...kinds);
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.gallery?.restyle(theme, 100), theme);
      const report = (touch: string, found: readonly string[]) =>
        barriers.push(...found.map((barrier) => `${state}, ${theme}, ${touch}: ${barrier}`));
      await force(['hover', 'active']);
      report('touched', await axeViolations(page, 'colours', `[${newKindAttribute}]`));
      await force(['focus', 'focus-visible']);
      report('focused', await axeViolations(page, 'colours', `[${newKindAttribute}]`));
      report('focused', await page.evaluate(unfocused, newKindAttribute));
      await force([]);
    }
  }
  expect(barriers).toEqual([]);
  expect(known.length).toBeGreaterThan(100);
});

test('forced colours still show what is chosen, pressed, on and how full', async ({
  page,
  show,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const alike: string[] = [];
  for (const [state, selector, name, value] of [
    ['settings-appearance', '.segment input:checked', 'checked', ''],
    ['settings-servers', '.radio-choice input:checked', 'checked', ''],
    ['settings-memory', '.switch[aria-checked="true"]', 'aria-checked', 'false'],
    ['live-muted', '.dock [data-held="true"]', 'data-held', 'false'],
    ['live-camera', '.dock [aria-pressed="true"]', 'aria-pressed', 'false'],
    ['palette', '[role="option"][aria-selected="true"]', 'aria-selected', 'false'],
    ['settings-sound-metered', '.meter', '--level', '0'],
    ['idle', '.screen-list [aria-current]', 'aria-current', 'false'],
  ] as const) {
    await show(state);
    const part = page.locator(selector).first();
    await part.evaluate(({ parentElement }) => parentElement?.setAttribute('data-looked-at', ''));
    const around = page.locator('[data-looked-at]');
    const before = await around.screenshot();
    await part.evaluate(
      (element, [name, value]) => {
        if (element instanceof HTMLInputElement) element.checked = false;
        else if (!name.startsWith('--')) element.setAttribute(name, value);
        else if (element instanceof HTMLElement) element.style.setProperty(name, value);
      },
      [name, value] as const,
    );
    if ((await around.screenshot()).equals(before)) alike.push(state);
  }
  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' });
  expect(alike).toEqual([]);
});
