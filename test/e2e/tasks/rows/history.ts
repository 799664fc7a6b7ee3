import { expect } from '@playwright/test';
import { clipboardText } from '../../fixtures/pages/clipboard-text.ts';
import { ask, beginning, click, key, target, type, write } from '../actions.ts';
import { harbourTalk, soupChat } from '../seeds.ts';
import type { Task, TaskWords } from '../task.ts';

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
  const recent = click('button', beginning(harbourTalk.title), {
    within: target('navigation', aroundTalk.idle.recent),
  });
  const more = click('button', history.more.replace('{{title}}', harbourTalk.title), page);
  const goThere = click('button', places.history);
  return [
    {
      id: 'history-find',
      said: 'What was said about the harbour?',
      begins: 'idle',
      actions: [goThere, key('/'), write('fishing')],
      seen: async ({ page }) => {
        await expect(page.locator('.kept-open')).toHaveCount(1);
        await expect(page.locator('.kept-open mark').first()).toHaveText('fishing');
      },
    },
    {
      id: 'history-find-by-name',
      said: 'The same by its name, from anywhere.',
      begins: 'idle',
      actions: ask(words, { en: 'harbour', zh: 'harbour' }),
      seen: ({ page }) =>
        expect(page.getByRole('heading', { name: harbourTalk.title })).toBeVisible(),
    },
    {
      id: 'history-read',
      said: 'Let me read the last one.',
      begins: 'idle',
      actions: [recent],
      seen: ({ page }) =>
        expect(page.getByRole('region', { name: history.talk.lines })).toContainText('fishing'),
    },
    {
      id: 'history-rename',
      said: 'It should be called something else.',
      begins: 'idle',
      actions: [recent, click('button', buttons.rename, page), type('The old quay')],
      seen: ({ page }) =>
        expect(page.getByRole('heading', { name: 'The old quay', level: 2 })).toBeVisible(),
    },
    {
      id: 'history-copy',
      said: 'I need the words of it.',
      begins: 'idle',
      actions: [recent, more, click('menuitem', actions.copy)],
      seen: ({ page }) => expect.poll(() => clipboardText(page)).toContain('fishing'),
    },
    {
      id: 'history-pin',
      said: 'Never delete this one.',
      begins: 'idle',
      actions: [recent, click('button', buttons.pin, page)],
      seen: ({ page }) =>
        expect(
          page
            .getByRole('region', { name: history.talk.name })
            .getByRole('button', { name: buttons.unpin }),
        ).toBeVisible(),
    },
    {
      id: 'history-delete',
      said: 'Away with this one.',
      begins: 'idle',
      actions: [recent, more, click('menuitem', buttons.delete)],
      // Undone at once, because later tasks need the talk.
      seen: async ({ page }) => {
        await expect(page.getByRole('heading', { name: harbourTalk.title })).toHaveCount(0);
        await page.getByRole('button', { name: shell.undo.undo }).click();
        await expect(page.getByRole('heading', { name: harbourTalk.title })).toBeVisible();
      },
    },
    {
      id: 'history-export',
      said: 'I need it as a file.',
      begins: 'idle',
      actions: [recent, click('button', exporting.action, page), click('button', buttons.saveAs)],
      seen: ({ page }) =>
        expect(page.getByText(beginning(exporting.saved.split('{{')[0] ?? ''))).toBeVisible(),
    },
    {
      id: 'history-hear',
      said: 'Let me hear it again.',
      begins: 'idle',
      actions: [recent, click('button', places.replay, page)],
      seen: ({ page }) =>
        expect(
          page
            .getByRole('main', { name: places.replay })
            .getByRole('slider', { name: replay.timeline }),
        ).toBeVisible(),
    },
    {
      id: 'history-compare',
      said: 'Was it better than the other one?',
      begins: 'idle',
      actions: [recent, click('button', compare.action, page)],
      seen: ({ page }) =>
        expect(
          page.getByRole('dialog', { name: compare.name.replace('{{title}}', harbourTalk.title) }),
        ).toBeVisible(),
    },
    {
      id: 'history-only-chats',
      said: 'Only what I wrote.',
      begins: 'idle',
      actions: [
        goThere,
        click('button', history.shows.all, { within: target('main', places.history) }),
        click('menuitemradio', history.shows.chat),
      ],
      seen: async ({ page }) => {
        const rows = page.locator('.kept-open');
        await expect(rows.filter({ hasText: soupChat.title })).toHaveCount(1);
        await expect(rows.filter({ hasNotText: history.kinds.chat })).toHaveCount(0);
      },
    },
    {
      id: 'history-several',
      said: 'I want to clear up.',
      begins: 'idle',
      actions: [goThere, click('button', history.options), click('menuitem', actions.choose)],
      seen: ({ page }) =>
        expect(page.getByRole('region', { name: history.choosing.name })).toBeVisible(),
    },
    {
      id: 'replay-example',
      said: 'Show me what this can do.',
      begins: 'idle',
      actions: [
        click('button', replay.examples.see),
        click('menuitem', replay.examples.voice.name),
      ],
      seen: ({ page }) => expect(page.getByRole('slider', { name: replay.timeline })).toBeVisible(),
    },
    {
      id: 'replay-faster',
      said: 'Faster.',
      begins: 'replay',
      actions: [
        click('button', beginning(replay.speedIs.split('{{')[0] ?? '')),
        click('menuitemradio', replay.times.replace('{{speed}}', '2')),
      ],
      seen: ({ page }) =>
        expect(
          page.getByRole('button', {
            name: replay.speedIs.replace('{{speed}}', replay.times.replace('{{speed}}', '2')),
          }),
        ).toBeVisible(),
    },
    {
      id: 'replay-next',
      said: 'The next thing that happened.',
      begins: 'replay',
      actions: [key(']')],
      seen: ({ page }) =>
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
      said: 'Hold it there.',
      begins: 'replay',
      actions: [key('Space')],
      seen: ({ page }) =>
        expect(page.getByRole('button', { name: replay.play, exact: true })).toBeVisible(),
    },
    {
      id: 'replay-leave',
      said: 'Back to where I was.',
      begins: 'replay',
      actions: [key('Escape')],
      seen: ({ page }) => expect(page.getByRole('main', { name: places.replay })).toHaveCount(0),
    },
  ];
}
