import type { Page } from '@playwright/test';
import axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { expect, test } from '../fixtures/gallery-test.ts';
import { overflowOf } from '../fixtures/pages/page-checks.ts';

/** The rules that depend on the theme. */
const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

async function injectAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

function axeViolations(page: Page, what: 'all' | 'colours'): Promise<readonly string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(what === 'all' ? {} : colourRules),
  };
  return page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  }, options);
}

/** 320 is the width of a page in a window of 640 pixels at 200 % zoom. */
const smallWindows = [
  { width: 320, height: 600 },
  { width: 450, height: 340 },
  { width: 380, height: 760 },
] as const;

test('every state passes axe, in the dark theme its colours, fits small windows, and grows with its text', async ({
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

const controls =
  'button, a[href], summary, input, textarea, select, [role="option"], [role^="menuitem"]';

type TouchState = 'hover' | 'active' | 'focus-visible';

/** Marks one control of each new kind. */
const newKindAttribute = 'data-fresh-kind';

interface TouchedControls {
  /**
   * Marks one visible control of each kind not seen before (by element, classes, attributes and parents); returns how
   * many.
   */
  readonly markNewKinds: () => Promise<number>;
  /**
   * Contrast and focus problems of the marked controls while hovered, pressed or focused by keyboard: all at once, by
   * forced pseudo-states.
   */
  readonly barriers: (states: readonly TouchState[]) => Promise<readonly string[]>;
}

async function watchTouchedControls(page: Page): Promise<TouchedControls> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const force = async (states: readonly TouchState[]): Promise<void> => {
    const { root } = await session.send('DOM.getDocument', { depth: 0 });
    const { nodeIds } = await session.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: `[${newKindAttribute}]`,
    });
    const forcedPseudoClasses = states.flatMap((state) =>
      state === 'focus-visible' ? ['focus', state] : [state],
    );
    await Promise.all(
      nodeIds.map((nodeId) =>
        session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }),
      ),
    );
  };
  const known = new Set<string>();
  return {
    markNewKinds: async () => {
      const kinds = await page.evaluate(markKinds, [
        controls,
        newKindAttribute,
        [...known],
      ] as const);
      for (const kind of kinds) known.add(kind);
      return kinds.length;
    },
    barriers: async (states) => {
      await force(states);
      const focused = states.includes('focus-visible');
      const found = await page.evaluate(readBarriers, [`[${newKindAttribute}]`, focused] as const);
      await force([]);
      return found;
    },
  };
}

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
  }
  return found;
}

/** Runs in the page. Icons need 3:1, text 4.5:1 unless large, and a focused control needs an outline or shadow. */
function readBarriers([selector, focused]: readonly [string, boolean]): readonly string[] {
  type Rgba = readonly [number, number, number, number];
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext(
    '2d',
    { willReadFrequently: true },
  );
  const known = new Map<string, Rgba>();
  const read = (color: string): Rgba => {
    const before = known.get(color);
    if (before !== undefined || pen === null) return before ?? [0, 0, 0, 0];
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
    const rgba = [red, green, blue, alpha / 255] as const;
    known.set(color, rgba);
    return rgba;
  };
  const over = ([r, g, b, a]: Rgba, [x, y, z]: Rgba): Rgba => [
    r * a + x * (1 - a),
    g * a + y * (1 - a),
    b * a + z * (1 - a),
    1,
  ];
  const groundOf = (element: Element | null): Rgba => {
    if (element === null) return [255, 255, 255, 1];
    const own = read(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  };
  const luminance = (color: Rgba): number => {
    const [r = 0, g = 0, b = 0] = color
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: Rgba, other: Rgba): number => {
    const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const barriers: string[] = [];
  for (const element of document.querySelectorAll(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.matches(':disabled, [aria-disabled="true"], [type="file"]')) continue;
    const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 30);
    const report = (what: string): void =>
      void barriers.push(`${element.className} “${name}” ${what}`);
    for (const sign of element.querySelectorAll('svg')) {
      const seen = contrast(read(getComputedStyle(sign).color), groundOf(sign));
      if (seen < 3) report(`has a sign at ${seen.toFixed(2)}:1`);
    }
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = words.nextNode(); text !== null; text = words.nextNode()) {
      const parent = text.parentElement;
      if (parent === null || text.textContent?.trim() === '') continue;
      if (!parent.checkVisibility() || parent.closest('.only-heard') !== null) continue;
      const { color, fontSize } = getComputedStyle(parent);
      const ground = groundOf(parent);
      const seen = contrast(over(read(color), ground), ground);
      if (seen < (Number.parseFloat(fontSize) >= 24 ? 3 : 4.5))
        report(`has words at ${seen.toFixed(2)}:1`);
    }
    // Fields show focus by their frame, menu items by their background.
    if (!focused || !element.matches('button, a, summary')) continue;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const seen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    if (!seen && boxShadow === 'none') report('shows no focus');
  }
  return barriers;
}

test('every kind of control keeps enough contrast while hovered, pressed and focused, in both themes', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const controls = await watchTouchedControls(page);
  const barriers = new Map<string, string>();
  let kinds = 0;
  for (const state of states) {
    await show(state);
    // A kind of control looks the same in every state.
    const newKinds = await controls.markNewKinds();
    if (newKinds === 0) continue;
    kinds += newKinds;
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.gallery?.restyle(theme, 100), theme);
      for (const touch of [['hover', 'active'], ['focus-visible']] as const) {
        for (const barrier of await controls.barriers(touch)) {
          const problem = `${theme}, ${touch.join(' and ')}: ${barrier}`;
          if (!barriers.has(problem)) barriers.set(problem, state);
        }
      }
    }
  }
  expect([...barriers]).toEqual([]);
  test.info().annotations.push({
    type: 'measured',
    description: `${kinds} kinds of controls in ${states.length} states`,
  });
  expect(kinds).toBeGreaterThan(100);
});
