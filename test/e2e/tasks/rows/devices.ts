import { expect } from '@playwright/test';
import { readSettingsFromCore } from '../../fixtures/pages/read-core.ts';
import {
  ask,
  click,
  key,
  startingWith,
  type Task,
  type TaskWindow,
  type TaskWords,
  write,
} from '../task.ts';

export function deviceTasks(words: TaskWords): readonly Task[] {
  const { aroundTalk, talk, settings } = words.page;
  const { rows } = settings;
  const { audio, talking } = settings.rows;
  const audioNow = async (page: TaskWindow['page']) => (await readSettingsFromCore(page))?.audio;
  const other =
    (device: 'microphone' | 'speaker') =>
    ({ page }: TaskWindow) =>
      expect.poll(async () => (await audioNow(page))?.[device]).not.toBe('default');
  return [
    {
      id: 'sound-microphone',
      wish: 'Use the other microphone.',
      begins: 'idle',
      actions: [
        click('button', startingWith(words.labelWithValue(rows.audio.microphone.name, '')), {
          nth: 0,
        }),
        click('menuitemradio', undefined, { nth: 1 }),
      ],
      verify: other('microphone'),
    },
    {
      id: 'sound-microphone-within',
      wish: 'The other microphone, we are already talking.',
      begins: 'talk',
      actions: [
        click('button', talk.more),
        click('words', audio.microphone.name, { within: { role: 'dialog', name: talk.more } }),
        click('radio', undefined, {
          nth: 1,
          within: { role: 'radiogroup', name: audio.microphone.name },
        }),
      ],
      verify: other('microphone'),
    },
    {
      id: 'sound-speaker-within',
      wish: 'I would rather hear it in the headphones.',
      begins: 'talk',
      actions: [
        click('button', talk.more),
        click('words', audio.speaker.name, { within: { role: 'dialog', name: talk.more } }),
        click('radio', undefined, {
          nth: 1,
          within: { role: 'radiogroup', name: audio.speaker.name },
        }),
      ],
      verify: other('speaker'),
    },
    {
      id: 'sound-speaker',
      wish: 'Which speakers are there?',
      begins: 'idle',
      actions: [
        key('Control+k'),
        write(words.typed({ en: 'speaker', zh: '扬声器' })),
        click('option', startingWith(words.labelWithValue(audio.speaker.name, '')), { nth: 0 }),
      ],
      verify: other('speaker'),
    },
    {
      id: 'sound-level',
      wish: 'Does it hear me at all?',
      begins: 'idle',
      actions: [click('button', aroundTalk.idle.showLevel)],
      verify: ({ page }) =>
        expect(page.getByRole('meter', { name: settings.sound.level })).toBeVisible(),
    },
    {
      id: 'sound-quieter',
      wish: 'It is too loud.',
      begins: 'idle',
      actions: [...ask(words, { en: 'quieter', zh: '音量' }), key('ArrowLeft')],
      verify: ({ page }) =>
        expect.poll(async () => (await audioNow(page))?.playbackVolume).toBeLessThan(0.97),
    },
    {
      id: 'sound-volume-by-word',
      wish: 'Where is the volume?',
      begins: 'idle',
      actions: ask(words, { en: 'volume', zh: '音量' }),
      verify: ({ page }) =>
        expect(
          page.getByRole('slider', { name: audio.playbackVolume.name, exact: true }),
        ).toBeFocused(),
    },
    {
      id: 'sound-my-volume',
      wish: 'They say I am too quiet.',
      begins: 'idle',
      actions: [...ask(words, { en: 'microphone volume', zh: '麦克风音量' }), key('ArrowRight')],
      verify: ({ page }) =>
        expect.poll(async () => (await audioNow(page))?.inputVolume).toBeGreaterThan(1.04),
    },
    {
      id: 'sound-test',
      wish: 'Do speaker and microphone work?',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'test speaker', zh: '测试扬声器' }),
        click('button', settings.sound.run),
      ],
      verify: ({ page }) => expect(page.getByText(settings.sound.running)).toBeVisible(),
    },
    {
      id: 'sound-echo',
      wish: 'It hears itself.',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'echo', zh: '回声' }),
        click('radio', settings.choices.audio.echo.auto),
      ],
      verify: ({ page }) => expect.poll(async () => (await audioNow(page))?.echo).toBe('auto'),
    },
    {
      id: 'keys-list',
      wish: 'Which keys are there?',
      begins: 'idle',
      actions: [key('?')],
      verify: ({ page }) =>
        expect(page.getByRole('dialog', { name: rows.keys.shortcuts.name })).toBeVisible(),
    },
    {
      id: 'keys-talk-key',
      wish: 'Another key to talk with.',
      begins: 'idle',
      actions: [...ask(words, { en: 'change talk key', zh: '更改说话键' }), key('F8')],
      verify: ({ page }) =>
        expect.poll(() => readSettingsFromCore(page)).toMatchObject({ talking: { key: 'F8' } }),
    },
    {
      id: 'keys-everywhere',
      wish: 'The key should work while I am in my mail.',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'key for all programs', zh: '全局快捷键' }),
        click('switch', talking.everywhere.name),
      ],
      verify: ({ page }) =>
        expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ talking: { everywhere: true } }),
    },
  ];
}
