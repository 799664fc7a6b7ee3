import { languageIds } from '../../../shared/i18n/languages.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { overflowOf, waitForPaint } from '../fixtures/pages/page-checks.ts';

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

test('a dialog keeps its buttons visible', async ({ page, show, states }) => {
  const dialogs = states.filter((name) =>
    /^(?:export|compare|report|see-pick|see-choosing-part|chat-options|start-link)/u.test(name),
  );
  const outside: string[] = [];
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
        const buttons = dialog.locator('.sheet-foot button, .confirm-buttons button');
        const names = await buttons.evaluateAll((all) =>
          all.flatMap((button) => {
            const { top, left, bottom, right } = button.getBoundingClientRect();
            const isSeen = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
            return isSeen ? [] : [button.textContent];
          }),
        );
        outside.push(...names.map((name) => `${state}, ${language}, ${width}: ${name}`));
      }
    }
  }
  expect(outside).toEqual([]);
});

test('a dialog does not cut off the menu of a button in it', async ({ page, show }) => {
  await show('compare-choosing');
  const dialog = page.getByRole('dialog');
  await dialog.locator('.picker').click();
  const items = page.getByRole('menuitemradio');
  const hidden = await items.evaluateAll((all) =>
    all
      .filter((item) => {
        const { left, top, width, height } = item.getBoundingClientRect();
        return !item.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      })
      .map(({ textContent }) => textContent),
  );
  expect(hidden).toEqual([]);
  const name = await items.last().innerText();
  await items.last().click();
  await expect(dialog.locator('.picker')).toHaveText(name);
  await expect(dialog.locator('.picker')).toBeFocused();
});

test('the dock shows no outline while it holds the focus of a button that is gone', async ({
  page,
  show,
}) => {
  await show('idle');
  const dock = page.locator('.dock');
  await dock.evaluate((element) => {
    element.tabIndex = -1;
    element.focus();
  });
  await page.keyboard.press('Shift');
  await expect(dock).toBeFocused();
  await expect(dock).toHaveCSS('outline-style', 'none');
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

test('large text covers no button of a talk, and cuts none off in a dialog', async ({
  page,
  show,
}) => {
  const found: string[] = [];
  for (const [state, width, height, text] of [
    ['live-camera', 480, 680, 150],
    ['ended-own-words-failed', 480, 680, 150],
    ['reconnecting-after-words', 480, 680, 150],
    ['live-camera', 1600, 1000, 200],
    ['start-link', 480, 680, 150],
    ['settings-privacy-asked', 480, 680, 200],
  ] as const) {
    await page.setViewportSize({ width, height });
    await show(state, { text });
    found.push(...(await page.evaluate(hiddenButtons)).map((name) => `${state}, ${text}: ${name}`));
  }
  expect(found).toEqual([]);
});

test('a lost connection hides neither the captions nor the camera', async ({ page, show }) => {
  for (const [width, height] of [
    [1600, 1000],
    [900, 680],
    [480, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await show('reconnecting-camera');
    const boxOf = async (part: string) => {
      await expect(page.locator(part), `${part} at ${width}`).toBeInViewport({ ratio: 1 });
      const box = await page.locator(part).boundingBox();
      return box ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    const banner = await boxOf('.banner');
    const captions = await boxOf('.stage > .captions');
    await boxOf('.capture');
    expect(captions.width, `captions at ${width}`).toBeGreaterThan(400);
    expect(captions.y, `captions at ${width}`).toBeGreaterThanOrEqual(banner.y + banner.height);
  }
});

/** The buttons that another element covers, or that an ancestor without a scrollbar cuts off. */
function hiddenButtons(): readonly string[] {
  const isCut = (button: Element): boolean => {
    const { top, bottom } = button.getBoundingClientRect();
    for (let place = button.parentElement; place !== null; place = place.parentElement) {
      const { overflowY } = getComputedStyle(place);
      if (overflowY === 'auto' || overflowY === 'scroll') return false;
      const edges = place.getBoundingClientRect();
      const reachesOut = bottom > edges.bottom + 2 || top < edges.top - 2;
      if (overflowY === 'hidden' && reachesOut) return true;
    }
    return false;
  };
  const isCovered = (button: Element): boolean => {
    button.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = button.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return shown === null || !button.contains(shown);
  };
  const shownRoot = document.querySelector('[role="dialog"]') ?? document;
  return [...shownRoot.querySelectorAll('button')]
    .filter((button) => button.checkVisibility() && (isCut(button) || isCovered(button)))
    .map((button) => button.textContent);
}

test('the mini window keeps its buttons and a line of captions visible with large text and zoom', async ({
  page,
  show,
}) => {
  // At 200 % zoom, a window of 420 by 216 has a page of 210 by 108.
  for (const [width, height, text, target] of [
    [420, 216, 110, 44],
    [420, 216, 130, 44],
    [420, 216, 200, 44],
    [382, 196, 100, 44],
    [323, 166, 100, 44],
    [280, 144, 100, 44],
    [210, 108, 100, 30],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [state, names] of [
      ['mini-hold', ['Hold to talk', 'Interrupt', 'Mute', 'End']],
      ['mini-live-parley', ['Interrupt', 'Mute', 'End']],
    ] as const) {
      await show(state, { text });
      const size = `${state} at ${width} by ${height} with ${text} %`;
      for (const name of names) {
        const button = page.getByRole('button', { name, exact: true });
        await expect(button, size).toBeInViewport({ ratio: 1 });
        const box = await button.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0), size).toBeGreaterThanOrEqual(target);
      }
      const stage = await page.locator('.mini-stage').boundingBox();
      expect(stage?.height ?? 0, size).toBeGreaterThanOrEqual(24);
    }
  }
});

test('Quick ask shows some lines of the answer at 200 % zoom', async ({ page, show }) => {
  await page.setViewportSize({ width: 310, height: 210 });
  await show('cursor-answer');
  const turns = page.getByRole('log');
  await expect(turns).toBeInViewport({ ratio: 0.9 });
  expect((await turns.boundingBox())?.height ?? 0).toBeGreaterThan(90);
});

test('the dock stays visible in every state at 1280 by 800 with double text size', async ({
  page,
  show,
  states,
}) => {
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

// Headless engines hide scrollbars, so the test reads whether a place reserves room for one.
test('no content shifts when a scrollbar appears or disappears', async ({ page, show, states }) => {
  const reserving = new Set<string>();
  const shifting = new Map<string, string>();
  for (const state of states) {
    await show(state);
    for (const { name, reserves } of await page.evaluate(readScrollers)) {
      if (reserves) reserving.add(name);
      else shifting.set(name, state);
    }
  }
  expect(reserving.size).toBeGreaterThan(5);
  expect([...shifting]).toEqual([]);
});

/** Elements that scroll vertically, except text fields, code, the document, and menus, which are laid out each time they open. */
function readScrollers() {
  const places = [...document.querySelectorAll<HTMLElement>('*')].filter((place) => {
    const { overflowY, display } = getComputedStyle(place);
    if (!['auto', 'scroll'].includes(overflowY) || display.startsWith('inline')) return false;
    return place.checkVisibility() && !place.matches('textarea, pre, html, body, [role="menu"]');
  });
  return places.map((place) => ({
    name: place.className === '' ? place.tagName.toLowerCase() : place.className,
    reserves: getComputedStyle(place).scrollbarGutter.startsWith('stable'),
  }));
}

test('a long address in a reminder does not widen the window', async ({ page, show }) => {
  await show('settings-tools-due');
  await expect(page.getByText('https://lighthouse.example/')).toBeVisible();
  expect(await overflowOf(page)).toBe(0);
});

test('a long name of a server does not widen the window of a talk', async ({ page, show }) => {
  await page.setViewportSize({ width: 240, height: 390 });
  await show('live-muted');
  await page.locator('.session-endpoint').evaluate((endpoint) => {
    endpoint.textContent = 'The server in the basement of the old library';
  });
  expect(await overflowOf(page)).toBe(0);
});

test('the list in a narrow window is a drawer that closes on a choice', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 380, height: 700 });
  await show('chat-full');
  const opener = page.getByRole('button', { name: 'Show chats' });
  await opener.click();
  const drawer = page.getByRole('dialog', { name: 'Chats' });
  await drawer.getByRole('button', { name: 'Verbs of motion October 7, 2025' }).click();
  await expect(drawer).toHaveCount(0);
  expect(await inputs('openChat')).toEqual([{ id: 'other2' }]);
  await opener.click();
  const search = drawer.getByRole('textbox', { name: 'Search chats' });
  // Some engines end the composition before they report its last key.
  await search.dispatchEvent('keydown', { key: 'Escape', keyCode: 229 });
  await search.fill('verbs');
  await page.keyboard.press('Escape');
  await expect(search).toHaveValue('');
  await drawer.getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const title = drawer.locator('.title-field');
  await title.fill('Other');
  await page.keyboard.press('Escape');
  await expect(title).toHaveCount(0);
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('a long text of another program leaves the question about it in sight', async ({
  page,
  show,
}) => {
  await show('chat-full');
  await page.evaluate(() => {
    const parts = ['A line of a letter. '.repeat(400), 'Is it polite?'].map(
      (text) => ({ type: 'text', text }) as const,
    );
    const turn = { role: 'user', id: 'asked', at: 0, parts } as const;
    window.gallery?.emit({ name: 'chatPatch', payload: { kind: 'added', turn } });
  });
  const question = page.getByRole('article', { name: 'You' }).last();
  await expect(question.getByText('Is it polite?', { exact: true })).toBeVisible();
  await expect(question).toBeInViewport({ ratio: 1 });
  await question.getByRole('button', { name: 'Show all 8,000 characters' }).click();
  await expect(question.locator('.question-text')).toHaveText([
    /(?:A line of a letter\. ?){400}/u,
    'Is it polite?',
  ]);
});

test('a section begins at its top, and its name is in sight in the list of sections', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 1000, height: 600 });
  await show('settings-talking');
  const list = page.getByRole('navigation', { name: 'Settings section' });
  await page.locator('.settings-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
  await list.getByRole('button', { name: 'Keys' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await show('settings-about');
  await expect(list.getByRole('button', { name: 'About' })).toBeInViewport();
});

for (const [state, name] of [
  ['chat-empty', 'Message'],
  ['chat-editing', 'Edit this message'],
  ['cursor-offers', 'Ask Parley'],
] as const)
  test(`a long text neither resizes its field nor looks for the direction of each paragraph, in ${state} @nightly`, async ({
    page,
    show,
  }) => {
    await show(state);
    const field = page.getByRole('textbox', { name, exact: true });
    await expect(field).toHaveAttribute('dir', 'auto');
    for (const [word, direction] of [
      ['1 word ', 'ltr'],
      ['1 שלום ', 'rtl'],
    ] as const) {
      await field.fill(word.repeat(2000));
      await expect(field).toHaveAttribute('dir', direction);
      await expect(field).toHaveCSS('field-sizing', 'fixed');
    }
  });
