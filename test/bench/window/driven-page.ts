import { setTimeout as rest } from 'node:timers/promises';
import type { DrivenApp } from './driven-app.ts';

const shownWithinMs = 30_000;

/** A button by its name, in whichever way it has one. */
export async function click(app: DrivenApp, label: string): Promise<void> {
  const button = JSON.stringify(label);
  const found = await app.ask(
    'page',
    `(() => {
      const button = [...document.querySelectorAll('button')].find(
        (one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === ${button});
      button?.click();
      return button !== undefined;
    })()`,
  );
  if (found !== true) throw new Error(`There is no button ${label}.`);
}

export async function untilShown(
  app: DrivenApp,
  text: string,
  shown = true,
  everyMs = 100,
): Promise<void> {
  const until = performance.now() + shownWithinMs;
  const isThere = `document.body.innerText.includes(${JSON.stringify(text)})`;
  while ((await app.ask('page', isThere)) !== shown) {
    if (performance.now() > until) throw new Error(`${text}: ${shown ? 'not shown' : 'stays'}.`);
    await rest(everyMs);
  }
}
