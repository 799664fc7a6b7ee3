import { expect, type Page } from '@playwright/test';
import { clipboardText } from '../../fixtures/pages/page-checks.ts';
import { readChatFromCore } from '../../fixtures/pages/read-core.ts';
import { keptChat, soupChat } from '../seeds.ts';
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

export function chatTasks(words: TaskWords): readonly Task[] {
  const { buttons, chat, palette, places, shell, export: exporting } = words.page;
  const { actions, composer, list } = chat;
  const question = words.typed({ en: 'What can you do?', zh: '你能做什么？' });
  const answer = { within: target('article', chat.parley), nth: 0 };
  const asked = { within: target('article', chat.you), nth: 0 };
  /** Attachments that have been read; only those have a button. */
  const attachedTo = (page: Page) =>
    page
      .getByRole('list', { name: composer.attached })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button') });
  const more = click('button', list.more.replace('{{title}}', keptChat.title));
  return [
    {
      id: 'chat-ask',
      wish: 'I have a question and cannot talk here.',
      begins: 'idle',
      actions: [click('button', places.chat), type(question)],
      verify: async ({ page }) => {
        await expect(page.getByRole('article', { name: chat.you }).last()).toContainText(question);
        const answered = async () => (await readChatFromCore(page)).conversation.turns.at(-1);
        await expect.poll(answered, { timeout: 30_000 }).toMatchObject({ state: { kind: 'done' } });
      },
    },
    {
      id: 'chat-new',
      wish: 'A fresh page, please.',
      begins: 'idle',
      actions: [key('Control+n')],
      verify: async ({ page }) => {
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(palette.newChat);
        await expect(page.getByRole('textbox', { name: composer.name, exact: true })).toBeFocused();
      },
    },
    {
      id: 'chat-find',
      wish: 'Where was that soup?',
      begins: 'idle',
      actions: ask(words, { en: 'soup', zh: 'soup' }),
      verify: ({ page }) =>
        expect(page.getByRole('heading', { level: 1 })).toHaveText(soupChat.title),
    },
    {
      id: 'chat-edit',
      wish: 'I meant something else.',
      begins: 'chat',
      actions: [click('button', buttons.edit, asked), type('Boskoop')],
      verify: ({ page }) =>
        expect(page.getByRole('article', { name: chat.you }).first()).toContainText('Boskoop'),
    },
    {
      id: 'chat-again',
      wish: 'Say that differently.',
      begins: 'chat',
      actions: [click('button', actions.again, answer)],
      verify: ({ page }) =>
        expect(page.getByRole('group', { name: actions.versions }).first()).toBeVisible(),
    },
    {
      id: 'chat-copy',
      wish: 'I need this answer in a mail.',
      begins: 'chat',
      actions: [click('button', buttons.copy, answer)],
      verify: ({ page }) => expect.poll(() => clipboardText(page)).toContain(keptChat.answer),
    },
    {
      id: 'chat-picture',
      wish: 'What is on this picture?',
      begins: 'chat',
      actions: [click('button', composer.attach)],
      file: 'icons/128x128.png',
      verify: ({ page }) => expect(attachedTo(page)).toHaveCount(1),
    },
    {
      id: 'chat-clip',
      wish: 'Listen to this noise.',
      begins: 'chat',
      actions: [
        click('button', composer.record),
        click('button', chat.clip.attach, { after: '0:01' }),
      ],
      verify: ({ page }) => expect(attachedTo(page)).toHaveCount(1),
    },
    {
      id: 'chat-aloud',
      wish: 'Read the answers to me.',
      begins: 'chat',
      actions: [click('button', composer.speakOff)],
      verify: ({ page }) =>
        expect.poll(async () => (await readChatFromCore(page))?.options.speech).toBe(true),
    },
    {
      id: 'chat-stop',
      wish: 'That is long enough.',
      begins: 'chat',
      actions: [
        type(`Reply with exactly: ${Array.from({ length: 150 }, (_, n) => `word${n}`).join(' ')}`),
        click('button', buttons.stop),
      ],
      verify: ({ page }) => expect(page.getByText(chat.states.stopped)).toBeVisible(),
    },
    {
      id: 'chat-rename',
      wish: 'I want to find this one by another name.',
      begins: 'chat',
      actions: [more, click('menuitem', buttons.rename), type('Lanterns')],
      verify: ({ page }) =>
        expect(page.getByRole('heading', { level: 1 })).toContainText('Lanterns'),
    },
    {
      id: 'chat-pin',
      wish: 'This one I need often.',
      begins: 'chat',
      actions: [more, click('menuitem', buttons.pin)],
      verify: ({ page }) =>
        expect
          .poll(async () => (await readChatFromCore(page)).list)
          .toContainEqual(expect.objectContaining({ title: keptChat.title, pinned: true })),
    },
    {
      id: 'chat-delete-and-undo',
      wish: 'Away with it. No, wait.',
      begins: 'chat',
      actions: [more, click('menuitem', buttons.delete), click('button', shell.undo.undo)],
      verify: async ({ page }) => {
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(keptChat.title);
        await expect(page.locator('.undo-bar')).toHaveCount(0);
      },
    },
    {
      id: 'chat-export',
      wish: 'I need this as a file.',
      begins: 'chat',
      actions: [more, click('menuitem', exporting.action), click('button', buttons.saveAs)],
      verify: ({ page }) =>
        expect(page.getByText(startingWith(exporting.saved.split('{{')[0] ?? ''))).toBeVisible(),
    },
    {
      id: 'chat-about-me',
      wish: 'It should know that I am a baker.',
      begins: 'chat',
      actions: [
        click('button', chat.options.name),
        click('textbox', chat.options.system),
        write('I am a baker.'),
      ],
      verify: ({ page }) =>
        expect
          .poll(async () => (await readChatFromCore(page))?.options.system)
          .toBe('I am a baker.'),
    },
  ];
}
