import { expect } from '@playwright/test';
import { clipboardText } from '../../fixtures/pages/page-checks.ts';
import {
  readChatFromCore,
  readControlsFromCore,
  readSettingsFromCore,
  talkPhase,
} from '../../fixtures/pages/read-core.ts';
import {
  ask,
  click,
  hold,
  key,
  startingWith,
  type Task,
  type TaskWindow,
  type TaskWords,
  type,
} from '../task.ts';

export function talkingTasks(words: TaskWords): readonly Task[] {
  const {
    buttons,
    talk,
    places,
    history,
    settings: { rows },
  } = words.page;
  const live = ({ page }: TaskWindow) => expect.poll(() => talkPhase(page)).toBe('live');
  const ended = ({ page }: TaskWindow) => expect.poll(() => talkPhase(page)).toBe('ended');
  const muted = ({ page }: TaskWindow) =>
    expect.poll(() => readControlsFromCore(page)).toMatchObject({ muted: true });
  return [
    {
      id: 'talk-start',
      wish: 'I want to talk with it.',
      begins: 'idle',
      actions: [click('button', talk.start)],
      verify: live,
    },
    {
      id: 'talk-incognito',
      wish: 'Talk, and keep nothing of it.',
      begins: 'idle',
      actions: [click('switch', history.incognito.name), click('button', talk.start)],
      verify: async (window) => {
        await live(window);
        const session = window.page.getByRole('region', { name: words.page.palette.groups.talk });
        await expect(session).toContainText(history.incognito.live);
      },
    },
    {
      id: 'talk-by-key',
      wish: 'It should hear me only while I hold a key.',
      begins: 'idle',
      actions: ask(words, { en: 'push to talk', zh: '按键说话' }),
      verify: ({ page }) =>
        expect.poll(() => readSettingsFromCore(page)).toMatchObject({ talking: { mode: 'hold' } }),
    },
    {
      id: 'talk-go-on',
      wish: 'Go on where we were.',
      begins: 'ended',
      actions: [click('button', talk.ended.goOn)],
      verify: live,
    },
    {
      id: 'talk-anew',
      wish: 'Start another one.',
      begins: 'ended',
      actions: [click('button', talk.ended.startNew)],
      verify: live,
    },
    {
      id: 'talk-next-with-camera',
      wish: 'The next one with the camera.',
      begins: 'ended',
      actions: [click('button', buttons.done), click('button', talk.startSeeing)],
      verify: async (window) => {
        await live(window);
        await expect(window.page.locator('.capture video')).toBeVisible();
      },
    },
    {
      id: 'talk-go-on-later',
      wish: 'I have put the last talk away, and want to go on with it after all.',
      begins: 'ended',
      actions: [click('button', buttons.done), ...ask(words, { en: 'continue', zh: '继续' })],
      verify: live,
    },
    {
      id: 'talk-mute',
      wish: 'Do not hear me for a moment.',
      begins: 'talk',
      actions: [click('button', rows.keys.mute.name)],
      verify: async (window) => {
        await muted(window);
        await expect(window.page.getByText(talk.captions.muted)).toBeVisible();
      },
    },
    {
      id: 'talk-mute-by-key',
      wish: 'The same without the mouse.',
      begins: 'talk',
      actions: [key('Control+Shift+m')],
      verify: muted,
    },
    {
      id: 'talk-mute-elsewhere',
      wish: 'Mute while I read in Chat.',
      begins: 'talk',
      actions: [
        click('button', places.chat, { within: { role: 'navigation', name: places.name } }),
        click('button', rows.keys.mute.name),
      ],
      verify: muted,
    },
    {
      id: 'talk-cough',
      wish: 'I have to cough.',
      begins: 'talk',
      actions: [click('button', talk.more), hold('button', rows.keys.cough.name)],
      verify: ({ page }) =>
        expect.poll(() => readControlsFromCore(page)).toMatchObject({ coughMuted: true }),
    },
    {
      id: 'talk-pause',
      wish: 'Wait, the door bell.',
      begins: 'talk',
      actions: [click('button', talk.more), click('button', talk.pause)],
      verify: ({ page }) =>
        expect.poll(() => readControlsFromCore(page)).toMatchObject({ paused: true }),
    },
    {
      id: 'talk-interrupt',
      wish: 'Enough, stop talking.',
      begins: 'heard',
      actions: [key('Escape')],
      verify: ({ page }) => expect(page.locator('.caption-cut').first()).toBeVisible(),
    },
    {
      id: 'talk-mode-within',
      wish: 'From now on only while I hold a key, we are already talking.',
      begins: 'talk',
      actions: [
        click('button', talk.more),
        click('words', rows.talking.mode.name),
        click('radio', startingWith(talk.talkings.hold.replace('{{key}}', '').trim()), { nth: 0 }),
      ],
      verify: ({ page }) =>
        expect(page.getByRole('button', { name: talk.talkKey.hold })).toBeVisible(),
    },
    {
      id: 'talk-type',
      wish: 'Somebody sleeps here, I would rather type.',
      begins: 'talk',
      actions: [
        click('button', talk.more),
        click('button', talk.typing.name),
        type(words.typed({ en: 'What can you do?', zh: '你能做什么？' })),
      ],
      verify: ({ page }) =>
        expect
          .poll(async () => (await readChatFromCore(page)).conversation.turns.at(-1), {
            timeout: 30_000,
          })
          .toMatchObject({ role: 'assistant', state: { kind: 'done' } }),
    },
    {
      id: 'talk-copy',
      wish: 'I need in a letter what it said.',
      begins: 'heard',
      actions: [click('button', talk.more), click('button', talk.copy.name)],
      verify: ({ page }) =>
        expect.poll(() => clipboardText(page)).toContain(talk.copy.who.parley.trim()),
    },
    {
      id: 'talk-keep-recent',
      wish: 'What it just said was good: keep that.',
      begins: 'talk',
      settings: { privacy: { holdRecent: true } },
      actions: [click('button', talk.more), click('button', talk.keepRecent)],
      verify: ({ page }) =>
        expect(page.getByText(startingWith(talk.recentKept.split('{{')[0] ?? ''))).toBeVisible(),
    },
    {
      id: 'talk-end',
      wish: 'Goodbye.',
      begins: 'talk',
      actions: [click('button', talk.end)],
      verify: async (window) => {
        await ended(window);
        await expect(window.page.getByRole('heading', { level: 1 })).toHaveText(talk.ended.client);
      },
    },
    {
      id: 'talk-end-by-word',
      wish: 'Hang up.',
      begins: 'talk',
      actions: ask(words, { en: 'hang up', zh: '挂断' }),
      verify: ended,
    },
    {
      id: 'talk-keep',
      wish: 'Goodbye, and keep what we said.',
      begins: 'heard',
      actions: [click('button', talk.end), click('button', history.keep.yes)],
      verify: ({ page }) =>
        expect(page.getByRole('button', { name: history.keep.read })).toBeVisible(),
    },
  ];
}
