import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/host-test.ts';
import { putSeeds, settledSettings } from '../tasks/seeds.ts';

/** A layout shift; TypeScript's DOM types lack it. */
interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Layout shifts since the page was loaded, without those after input. */
function layoutShifts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const seen = new Promise<readonly string[]>((resolve) => {
      const lines: string[] = [];
      const observer = new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries() as LayoutShift[]) {
          for (const { node, previousRect: from, currentRect: to } of sources) {
            lines.push(`${node?.nodeName ?? '?'}: ${from.x},${from.y} to ${to.x},${to.y}`);
          }
        }
      });
      observer.observe({ type: 'layout-shift', buffered: true });
      // Buffered entries arrive in a later task.
      setTimeout(() => {
        observer.disconnect();
        resolve(lines);
      }, 200);
    });
    return seen;
  });
}

test.use({ stored: settledSettings });

test('the first screen does not shift when its font and the core’s answers arrive', async ({
  home,
  start,
}) => {
  await putSeeds(home);
  const open = async () => {
    const { page } = await start();
    await expect(page.getByRole('heading', { name: 'Ready when you are.' })).toBeVisible();
    const recents = page.getByRole('navigation', { name: 'Recent talks' });
    await expect(recents.getByRole('button')).toHaveCount(1);
    return page;
  };
  // The second start knows the number of talks from the first.
  await open();
  expect(await layoutShifts(await open())).toEqual([]);
});
