import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { which } from '../../../scripts/lib/which.mjs';
import type { CursorAction } from '../../../shared/cursor/cursor-action.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { serveFaults, serverSettings } from '../fixtures/faulty-gateway.ts';
import { speakSentence } from '../fixtures/pages/speak-sentence.ts';
import { skipWithoutSoundCard } from '../fixtures/skip-without-sound-card.ts';
import { openEditor, untilKeyWorks, watchSmallWindow, xdotool } from './open-editor.ts';
import { requestTimes } from './request-times.ts';

// A letter in another program: a paragraph is translated in place and an answer dictated below it, by two keys and without
// Parley's large window. The embedded server does not translate; its answer stands for the Chinese one.

const paragraph = 'The harbour closes at six, so please be there before five.';
/** The whole step may take this much longer than the server itself. */
const allowedMs = 2000;

const translate: CursorAction = {
  id: 'translate',
  name: '',
  icon: 'translate',
  prompt: '',
  key: 'Control+Alt+KeyC',
  inPlace: true,
};

test.beforeAll(() => {
  const missing = ['xdotool', 'l3afpad'].find((tool) => which(tool) === undefined);
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('a paragraph is translated in place and an answer dictated below it', async ({ desktop }) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const record = join(desktop.home, 'frames');
  await mkdir(record, { recursive: true });
  const gateway = await serveFaults([], ['--record', record]);
  desktop.lifetime.add(() => gateway.end());
  await desktop.tray.appear();
  const { electron, page } = await desktop.start({
    flags: ['--hidden'],
    settings: {
      ...serverSettings(gateway.url),
      cursor: { enabled: true, actions: [translate] },
    },
  });
  const small = await watchSmallWindow(electron);
  const editor = await openEditor(desktop.lifetime, desktop.home, paragraph);
  await untilKeyWorks(page, 'dictate');
  await untilKeyWorks(page, 'action-translate');
  const beyond: number[] = [];
  const until = async (startedAt: number, done: () => Promise<unknown>): Promise<void> => {
    await done();
    const took = performance.now() - startedAt;
    beyond.push(took - ((await requestTimes(record)).at(-1) ?? NaN));
  };

  await xdotool('key', 'ctrl+a');
  await until(performance.now(), async () => {
    await xdotool('key', 'ctrl+alt+c');
    await expect.poll(editor.saved, { timeout: 20_000 }).not.toBe(paragraph);
  });
  await expect.poll(small.isVisible).toBe(false);
  const translated = await editor.saved();
  expect(translated.trim()).not.toBe('');

  await xdotool('key', 'ctrl+End', 'Return');
  await xdotool('keydown', 'ctrl', 'keydown', 'alt', 'keydown', 'd');
  await speakSentence('hear');
  await xdotool('keyup', 'd', 'keyup', 'alt', 'keyup', 'ctrl');
  await until(performance.now(), () =>
    expect
      .poll(editor.saved, { timeout: 20_000 })
      .toBe(`${translated}\nI can hear you, but I do not understand words.`),
  );
  expect(await editor.hasFocus()).toBe(true);
  const isMainVisible = await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible()),
  );
  expect(isMainVisible).toBe(false);
  test.info().annotations.push({
    type: 'measured',
    description: `beyond the server's own time: translated ${Math.round(beyond[0] ?? NaN)} ms, dictated ${Math.round(beyond[1] ?? NaN)} ms`,
  });
  for (const ms of beyond) expect(ms).toBeLessThan(allowedMs);
});
