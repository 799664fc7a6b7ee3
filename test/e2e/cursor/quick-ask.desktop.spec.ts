import { expect, test } from '../desktop/desktop-test.ts';
import { missingCursorTool, openBesideEditor, xdotool } from './open-editor.ts';

// A question about a text in another program, by keys alone and without Parley's large window.

const redPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

test.beforeAll(() => {
  const missing = missingCursorTool();
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('a selection is asked about and replaced by the answer, and the clipboard is as before', async ({
  desktop,
}) => {
  const { electron, small, editor, text: selected } = await openBesideEditor(desktop);
  await electron.evaluate(({ clipboard, nativeImage }, picture) => {
    const image = nativeImage.createFromDataURL(picture);
    const write = Reflect.get(clipboard, 'write') as (parts: object) => void;
    write.call(clipboard, { text: 'what was copied', html: '<b>what was copied</b>', image });
  }, redPicture);
  const copied = () =>
    electron.evaluate(({ clipboard }) => {
      // Looked up by name, because Electron's types describe the clipboard of a newer version.
      const read = (name: string): unknown =>
        (Reflect.get(clipboard, name) as () => unknown).call(clipboard);
      const picture = (read('readImage') as Electron.NativeImage).toBitmap();
      return [read('readText'), read('readHTML'), picture.toString('base64')];
    });
  const before = await copied();
  await xdotool('key', 'ctrl+a');
  await xdotool('key', 'ctrl+alt+space');
  const page = await small.page();
  const field = page.getByRole('textbox');
  await expect(field).toBeFocused();
  await expect.poll(small.isFocused).toBe(true);
  const offer = page.getByRole('button', { name: selected });
  await expect(offer).toHaveAttribute('aria-pressed', 'false');
  await offer.click();
  await expect(offer).toHaveAttribute('aria-pressed', 'true');
  await xdotool('type', 'What is this?');
  await expect(field).toHaveValue('What is this?');
  await xdotool('key', 'Return');
  const answer = page.getByRole('article', { name: 'Parley' });
  await expect(answer).toHaveAttribute('aria-busy', 'false');
  const text = ((await answer.textContent()) ?? '').trim();
  expect(text).toMatch(/\w+ \w+/);
  await xdotool('key', 'alt+Return');
  await expect.poll(small.isVisible).toBe(false);
  await expect.poll(editor.hasFocus).toBe(true);
  await expect.poll(async () => words(await editor.saved())).toBe(words(text));
  expect(await copied()).toEqual(before);

  // The key opens the window again, and Escape closes it.
  await xdotool('key', 'ctrl+alt+space');
  await expect.poll(small.isFocused).toBe(true);
  await expect(field).toBeFocused();
  await xdotool('key', 'Escape');
  await expect.poll(small.isVisible).toBe(false);
  await expect.poll(editor.hasFocus).toBe(true);
});

/** The page shows Markdown, the editor its source. */
const words = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
