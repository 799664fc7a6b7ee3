import { expect } from '@playwright/test';
import { readSettingsFromCore } from '../../fixtures/pages/read-core.ts';
import { workstation } from '../seeds.ts';
import {
  ask,
  click,
  key,
  startingWith,
  type Task,
  type TaskWindow,
  type TaskWords,
  type,
} from '../task.ts';

export function serverTasks(words: TaskWords): readonly Task[] {
  const { aroundTalk, settings } = words.page;
  const { verdicts, voices } = settings;
  const serverNow = async (page: TaskWindow['page']) =>
    (await readSettingsFromCore(page))?.endpoints;
  const menu = click('button', startingWith(words.labelWithValue(words.page.talk.server, '')));
  return [
    {
      id: 'server-choose',
      wish: 'Talk with the machine at work.',
      begins: 'idle',
      actions: [menu, click('menuitemradio', workstation.name)],
      verify: ({ page }) =>
        expect.poll(async () => (await serverNow(page))?.chosen).toBe(workstation.id),
    },
    {
      id: 'server-choose-by-word',
      wish: 'The same by its name.',
      begins: 'idle',
      actions: [key('Control+k'), type(workstation.name)],
      verify: ({ page }) =>
        expect.poll(async () => (await serverNow(page))?.chosen).toBe(workstation.id),
    },
    {
      id: 'server-add',
      wish: 'We have a server of our own.',
      begins: 'idle',
      actions: [menu, click('menuitem', aroundTalk.idle.addServer), type('127.0.0.1:8006')],
      verify: ({ page }) => expect.poll(async () => (await serverNow(page))?.list.length).toBe(3),
    },
    {
      id: 'server-test',
      wish: 'Does the server answer?',
      begins: 'idle',
      actions: ask(words, { en: 'test connection', zh: '测试连接' }),
      verify: ({ page }) =>
        expect(page.getByText(startingWith(verdicts.good.split('{{')[0] ?? ''))).toBeVisible(),
    },
    {
      id: 'server-token',
      wish: 'They gave me a password for the server.',
      begins: 'idle',
      settings: { endpoints: { chosen: workstation.id } },
      actions: [...ask(words, { en: 'access token', zh: '访问令牌' }), type('secret-token')],
      verify: ({ page }) =>
        expect
          .poll(
            async () =>
              (await serverNow(page))?.list.find(({ id }) => id === workstation.id)?.hasToken,
          )
          .toBe(true),
    },
    {
      id: 'voice-choose',
      wish: 'It should speak like Ann.',
      begins: 'idle',
      actions: [key('Control+k'), type('Ann')],
      verify: async ({ page }) => {
        await expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ voices: { speech: 'ann' } });
        // A toast is the only visible effect.
        await expect(page.locator('.toast')).toContainText('Ann');
      },
    },
    {
      id: 'voice-hear',
      wish: 'How does Ann sound?',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'listen to voices', zh: '试听' }),
        click('button', voices.play.replace('{{name}}', 'Ann')),
      ],
      verify: ({ page }) =>
        expect(
          page.getByRole('button', { name: words.page.buttons.stop, exact: true }),
        ).toBeVisible(),
    },
    {
      id: 'voice-record',
      wish: 'It should speak like me.',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'record voice', zh: '录制声音' }),
        click('button', voices.record),
      ],
      verify: ({ page }) =>
        expect(page.getByText(startingWith(voices.recording.split('{{')[0] ?? ''))).toBeVisible(),
    },
    {
      id: 'assistant-role',
      wish: 'It should be a patient teacher.',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'role', zh: '角色' }),
        click('radio', undefined, { nth: 1, within: { role: 'main' } }),
      ],
      verify: ({ page }) =>
        expect
          .poll(async () => (await readSettingsFromCore(page))?.assistant.preset)
          .not.toBe('everyday'),
    },
  ];
}
