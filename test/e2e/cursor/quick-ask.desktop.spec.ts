import { which } from '../../../scripts/lib/run.mjs';
import { expect, test } from '../desktop/desktop-test.ts';
import { openEditor, untilKeyWorks, watchSmallWindow, xdotool } from './open-editor.ts';

// A question about a text in another program, by keys alone and without Parley's large window.

const patient = { timeout: 20_000 };

test.beforeAll(() => {
  const missing = ['xdotool', 'l3afpad'].find((tool) => which(tool) === undefined);
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('a selection is asked about and replaced by the answer', async ({ desktop }) => {
  await desktop.tray.appear();
  const { electron, page: main } = await desktop.start({
    flags: ['--hidden'],
    settings: { cursor: { enabled: true } },
  });
  const small = await watchSmallWindow(electron);
  const editor = await openEditor(desktop.lifetime, desktop.home, 'A lighthouse stands here.');
  await untilKeyWorks(main, 'ask');

  await xdotool('key', 'ctrl+a');
  await xdotool('key', 'ctrl+alt+space');
  const page = await small.page();
  const field = page.getByRole('textbox');
  await expect(field).toBeFocused();
  await expect.poll(small.isFocused).toBe(true);
  const offer = page.getByRole('button', { name: 'A lighthouse stands here.' });
  await expect(offer).toHaveAttribute('aria-pressed', 'false');
  await offer.click();
  await expect(offer).toHaveAttribute('aria-pressed', 'true');
  await xdotool('type', 'What is this?');
  await expect(field).toHaveValue('What is this?');
  await xdotool('key', 'Return');
  const answer = page.getByRole('article', { name: 'Parley' });
  await expect(answer).toHaveAttribute('aria-busy', 'false', patient);
  const text = ((await answer.textContent()) ?? '').trim();
  expect(text).toMatch(/\w+ \w+/);
  await xdotool('key', 'alt+Return');
  await expect.poll(small.isVisible).toBe(false);
  await expect.poll(editor.hasFocus).toBe(true);
  await expect.poll(async () => words(await editor.saved()), patient).toBe(words(text));

  // A second time, and away again.
  await xdotool('key', 'ctrl+alt+space');
  await expect.poll(small.isFocused).toBe(true);
  await expect(field).toBeFocused();
  await xdotool('key', 'Escape');
  await expect.poll(small.isVisible).toBe(false);
  await expect.poll(editor.hasFocus).toBe(true);
});

/** The page shows Markdown, the editor its source. */
const words = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
