import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import type { Action, Target, Task, TaskWindow } from './task.ts';

const run = promisify(execFile);
/** After this time a missing element counts as absent. */
const patience = { timeout: 10_000 };

export async function performTask(task: Task, window: TaskWindow): Promise<void> {
  const { page } = window;
  for (const [index, action] of task.actions.entries()) {
    const last = index === task.actions.length - 1;
    const chooser =
      last && task.file !== undefined ? page.waitForEvent('filechooser', patience) : undefined;
    await performAction(action, window);
    await (
      await chooser
    )?.setFiles(resolve(import.meta.dirname, `../../../resources/${task.file}`));
  }
}

async function performAction(action: Action, window: TaskWindow): Promise<void> {
  const { page, panel } = window;
  switch (action.do) {
    case 'click':
      if (action.at.after !== undefined)
        // Exact, because times of day in a list may end alike.
        await page.getByText(action.at.after, { exact: true }).first().waitFor(patience);
      await (await find(action.at, window)).click(patience);
      return;
    case 'hold':
      await (await find(action.at, window)).hover(patience);
      await page.mouse.down();
      return;
    case 'key':
      await waitForUser(page);
      await page.keyboard.press(action.key);
      return;
    case 'systemKey':
      await run('xdotool', ['key', action.key]);
      return;
    case 'type':
      await waitForUser(page);
      // Waits until the opened field has the focus.
      await page.waitForFunction(
        () => document.activeElement?.matches('input, textarea') === true,
        undefined,
        patience,
      );
      await page.keyboard.type(action.text);
      if (action.enter) await page.keyboard.press('Enter');
      return;
    case 'trayClick':
      await panel.click();
      return;
    case 'trayMenu':
      await panel.openMenu();
      return;
    case 'trayItem':
      await chooseInTray(action.label, window);
  }
}

/** Waits as long as a quick user; the opened element has the focus by then. */
async function waitForUser(page: Page): Promise<void> {
  await page.waitForTimeout(150);
}

async function find(at: Target, window: TaskWindow): Promise<Locator> {
  return locate(at.mini === true ? await window.mini() : window.page, at);
}

function locate(page: Page, { role, name, within, nth }: Target): Locator {
  const place = within === undefined ? page : locate(page, within);
  const found =
    role === 'words'
      ? place.getByText(name ?? '', { exact: true })
      : place.getByRole(role, name === undefined ? {} : { name, exact: true });
  const shown = found.filter({ visible: true });
  return nth === undefined ? shown : shown.nth(nth);
}

/** Chooses by arrow keys, which skip separators and disabled items. */
async function chooseInTray(label: string, { electron, panel }: TaskWindow): Promise<void> {
  const labels = await electron.evaluate(() => {
    const menu = Reflect.get(globalThis, 'seenTray') as
      | { items: readonly { label: string; type: string; enabled: boolean }[] }
      | undefined;
    return (
      menu?.items
        .filter(({ type, enabled }) => type !== 'separator' && enabled)
        .map(({ label }) => label) ?? []
    );
  });
  const at = labels.indexOf(label);
  if (at < 0) throw new Error(`The tray has no ${label}: ${labels.join(', ')}`);
  await panel.press(...Array.from({ length: at + 1 }, () => 'Down'), 'Return');
}
