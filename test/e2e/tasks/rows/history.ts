import { expect } from '@playwright/test';
import { clipboardText } from '../../fixtures/pages/page-checks.ts';
import { harbourTalk, soupChat } from '../seeds.ts';
import {
  ask,
  click,
  key,
  startingWith,
  target,
  type Task,
  type TaskWords,
  type,
  write,
} from '../task.ts';

export function historyTasks(words: TaskWords): readonly Task[] {
  const {
    aroundTalk,
    buttons,
    history,
    places,
    replay,
    export: exporting,
    compare,
    shell,
  } = words.page;
  const { actions } = history;
  const page = { within: target('region', history.talk.name) };
  const recent = click('button', startingWith(harbourTalk.title), {
    within: target('navigation', aroundTalk.idle.recent),
  });
  const more = click('button', history.more.replace('{{title}}', harbourTalk.title), page);
  const goThere = click('button', places.history);
  return [
    {
      id: 'history-find',
      wish: 'What was said about the harbour?',
      begins: 'idle',
      actions: [goThere, key('/'), write('fishing')],
      verify: async ({ page }) => {
        await expect(page.locator('.history-open')).toHaveCount(1);
        await expect(page.locator('.history-open mark').first()).toHaveText('fishing');
      },
    },
    {
      id: 'history-find-by-name',
      wish: 'The same by its name, from anywhere.',
      begins: 'idle',
      actions: ask(words, { en: 'harbour', zh: 'harbour' }),
      verify: ({ page }) =>
        expect(page.getByRole('heading', { name: harbourTalk.title })).toBeVisible(),
    },
    {
      id: 'history-read',
      wish: 'Let me read the last one.',
      begins: 'idle',
      actions: [recent],
      verify: ({ page }) =>
        expect(page.getByRole('region', { name: history.talk.lines })).toContainText('fishing'),
    },
    {
      id: 'history-rename',
      wish: 'It should be called something else.',
      begins: 'idle',
      actions: [recent, click('button', buttons.rename, page), type('The old quay')],
      verify: ({ page }) =>
        expect(page.getByRole('heading', { name: 'The old quay', level: 2 })).toBeVisible(),
    },
    {
      id: 'history-copy',
      wish: 'I need the words of it.',
      begins: 'idle',
      actions: [recent, more, click('menuitem', actions.copy)],
      verify: ({ page }) => expect.poll(() => clipboardText(page)).toContain('fishing'),
    },
    {
      id: 'history-pin',
      wish: 'Never delete this one.',
      begins: 'idle',
      actions: [recent, click('button', buttons.pin, page)],
      verify: ({ page }) =>
        expect(
          page
            .getByRole('region', { name: history.talk.name })
            .getByRole('button', { name: buttons.unpin }),
        ).toBeVisible(),
    },
    {
      id: 'history-delete',
      wish: 'Away with this one.',
      begins: 'idle',
      actions: [recent, more, click('menuitem', buttons.delete)],
      // Undone at once, because later tasks need the talk.
      verify: async ({ page }) => {
        await expect(page.getByRole('heading', { name: harbourTalk.title })).toHaveCount(0);
        await page.getByRole('button', { name: shell.undo.undo }).click();
        await expect(page.getByRole('heading', { name: harbourTalk.title })).toBeVisible();
      },
    },
    {
      id: 'history-export',
      wish: 'I need it as a file.',
      begins: 'idle',
      actions: [recent, click('button', exporting.action, page), click('button', buttons.saveAs)],
      verify: ({ page }) =>
        expect(page.getByText(startingWith(exporting.saved.split('{{')[0] ?? ''))).toBeVisible(),
    },
    {
      id: 'history-hear',
      wish: 'Let me hear it again.',
      begins: 'idle',
      actions: [recent, click('button', places.replay, page)],
      verify: ({ page }) =>
        expect(
          page
            .getByRole('main', { name: places.replay })
            .getByRole('slider', { name: replay.timeline }),
        ).toBeVisible(),
    },
    {
      id: 'history-compare',
      wish: 'Was it better than the other one?',
      begins: 'idle',
      actions: [recent, click('button', compare.action, page)],
      verify: ({ page }) =>
        expect(
          page.getByRole('dialog', { name: compare.name.replace('{{title}}', harbourTalk.title) }),
        ).toBeVisible(),
    },
    {
      id: 'history-only-chats',
      wish: 'Only what I wrote.',
      begins: 'idle',
      actions: [
        goThere,
        click('button', history.shows.all, { within: target('main', places.history) }),
        click('menuitemradio', history.shows.chat),
      ],
      verify: async ({ page }) => {
        const rows = page.locator('.history-open');
        await expect(rows.filter({ hasText: soupChat.title })).toHaveCount(1);
        await expect(rows.filter({ hasNotText: history.kinds.chat })).toHaveCount(0);
      },
    },
    {
      id: 'history-several',
      wish: 'I want to clear up.',
      begins: 'idle',
      actions: [goThere, click('button', history.options), click('menuitem', actions.choose)],
      verify: ({ page }) =>
        expect(page.getByRole('region', { name: history.choosing.name })).toBeVisible(),
    },
    {
      id: 'replay-example',
      wish: 'Show me what this can do.',
      begins: 'idle',
      actions: [
        click('button', replay.examples.see),
        click('menuitem', replay.examples.voice.name),
      ],
      verify: ({ page }) =>
        expect(page.getByRole('slider', { name: replay.timeline })).toBeVisible(),
    },
    {
      id: 'replay-faster',
      wish: 'Faster.',
      begins: 'replay',
      actions: [
        click('button', startingWith(replay.speedIs.split('{{')[0] ?? '')),
        click('menuitemradio', replay.times.replace('{{speed}}', '2')),
      ],
      verify: ({ page }) =>
        expect(
          page.getByRole('button', {
            name: replay.speedIs.replace('{{speed}}', replay.times.replace('{{speed}}', '2')),
          }),
        ).toBeVisible(),
    },
    {
      id: 'replay-next',
      wish: 'The next thing that happened.',
      begins: 'replay',
      actions: [key(']')],
      verify: ({ page }) =>
        expect
          .poll(async () =>
            Number(
              await page
                .getByRole('slider', { name: replay.timeline })
                .getAttribute('aria-valuenow'),
            ),
          )
          .toBeGreaterThan(1),
    },
    {
      id: 'replay-stop',
      wish: 'Hold it there.',
      begins: 'replay',
      actions: [key('Space')],
      verify: ({ page }) =>
        expect(page.getByRole('button', { name: replay.play, exact: true })).toBeVisible(),
    },
    {
      id: 'replay-leave',
      wish: 'Back to where I was.',
      begins: 'replay',
      actions: [key('Escape')],
      verify: ({ page }) => expect(page.getByRole('main', { name: places.replay })).toHaveCount(0),
    },
  ];
}
