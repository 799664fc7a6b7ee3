import { setTimeout as delay } from 'node:timers/promises';
import type { DrivenApp } from './driven-app.ts';

const shownWithinMs = 30_000;

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
  if (found !== true) throw new Error(`The button ${label} was not found.`);
}

export async function untilShown(app: DrivenApp, text: string): Promise<void> {
  const until = performance.now() + shownWithinMs;
  const isThere = `document.body.innerText.includes(${JSON.stringify(text)})`;
  while ((await app.ask('page', isThere)) !== true) {
    if (performance.now() > until) throw new Error(`${text}: not shown.`);
    await delay(100);
  }
}

/**
 * Checks only the element with the text: reading the whole page's text forces a layout, which costs over one per cent of a
 * core at two reads a second.
 */
export async function untilGone(app: DrivenApp, text: string): Promise<void> {
  const until = performance.now() + shownWithinMs;
  const words = JSON.stringify(text);
  const find = `(() => {
    const says = (element) => element.textContent.includes(${words});
    let told = document.body;
    for (let inner = told; inner !== undefined; inner = [...inner.children].find(says)) told = inner;
    window.watchedWords = told;
  })()`;
  await app.ask('page', find);
  const isThere = `watchedWords.isConnected && watchedWords.textContent.includes(${words})`;
  while ((await app.ask('page', isThere)) === true) {
    if (performance.now() > until) throw new Error(`${text}: stays.`);
    await delay(500);
  }
}
