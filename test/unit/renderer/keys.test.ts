import { stroke } from '../../fakes/printed-stroke.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  globalKeyFault,
  HeldButton,
  keyFault,
  isWindowKey,
  keyName,
} from '../../../renderer/keys/window-keys.ts';
import { englishKeys } from '../../../shared/i18n/en/shell.ts';
import { chineseKeys } from '../../../shared/i18n/zh/shell.ts';
import { chordRule } from '../../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import {
  formatChord,
  isChordPressed,
  isChordReleased,
  parseChord,
} from '../../../shared/talk/global-key.ts';
import { createI18n } from '../../../renderer/i18n/page-language.ts';
import { shortcutList } from '../../../renderer/keys/shortcuts-sheet.tsx';
import {
  type TalkKeyContext,
  type TalkKeyPress,
  TalkKeys,
} from '../../../renderer/talk/talk-keys.ts';

const { keys } = defaultSettings;

it('a default window key matches the typed character, and a configured one the position of the key', () => {
  const dvorak = stroke('KeyV', { key: 'k', ctrlKey: true });
  expect(isWindowKey(keys, 'palette', dvorak)).toBe(true);
  expect(isWindowKey({ ...keys, palette: 'Control+KeyK' }, 'palette', dvorak)).toBe(false);
  const k = stroke('KeyK', { ctrlKey: true });
  expect(isWindowKey({ ...keys, palette: 'Control+KeyK' }, 'palette', k)).toBe(true);
  for (const held of [{ altKey: true }, { shiftKey: true }])
    expect(isWindowKey(keys, 'palette', { ...k, ...held })).toBe(false);
  expect(isWindowKey({ ...keys, palette: 'none' }, 'palette', k)).toBe(false);
});

describe('a key', () => {
  it.each([
    [stroke('Space'), 'Space'],
    [stroke('KeyT', { ctrlKey: true, shiftKey: true }), 'Control+Shift+KeyT'],
    // A modifier that is pressed alone is the key, not its own modifier.
    [stroke('ControlRight', { ctrlKey: true }), 'ControlRight'],
  ])('round-trips through the form of the settings', (pressed, text) => {
    expect(formatChord(pressed)).toBe(text);
    expect(isChordPressed(parseChord(text), pressed)).toBe(true);
    let problem = '';
    chordRule.read(text, 'Space', '', (_place, must) => (problem = must));
    expect(problem).toBe('');
  });

  it('must match its modifiers; an extra Shift is ignored', () => {
    const space = parseChord('Space');
    expect(isChordPressed(space, stroke('Space', { shiftKey: true }))).toBe(true);
    expect(isChordPressed(space, stroke('Space', { ctrlKey: true }))).toBe(false);
    expect(isChordPressed(parseChord('Shift+F2'), stroke('F2'))).toBe(false);
  });

  it('is released as soon as any of its keys or modifiers is', () => {
    const chord = parseChord('Control+KeyT');
    const up = ['KeyT', 'ControlLeft', 'ControlRight', 'KeyA', 'ShiftLeft'];
    expect(up.filter((code) => isChordReleased(chord, code))).toEqual(up.slice(0, 3));
  });

  it.each([
    ['', {}, 'empty'],
    ['Tab', {}, 'navigation'],
    ['Enter', {}, 'activation'],
    ['KeyI', { metaKey: true }, 'system'],
    ['KeyW', { ctrlKey: true }, 'system'],
  ] as const)('cannot be "%s" with %o: %s', (code, held, fault) => {
    expect(keyFault(stroke(code, held))).toBe(fault);
  });

  it('can be a letter, a letter with Ctrl, or the space bar', () => {
    const faults = [stroke('KeyW'), stroke('KeyK', { ctrlKey: true }), stroke('Space')].map(
      keyFault,
    );
    expect(faults).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['KeyA', {}, 'typing'],
    ['Space', { shiftKey: true }, 'typing'],
    ['ShiftLeft', { shiftKey: true }, 'typing'],
    ['Tab', {}, 'navigation'],
  ] as const)('cannot be "%s" with %o in all programs: %s', (code, held, fault) => {
    expect(globalKeyFault(stroke(code, held))).toBe(fault);
  });

  it('can be a chord, a function key or a lone right Ctrl in all programs', () => {
    const faults = [
      stroke('Space', { ctrlKey: true, altKey: true }),
      stroke('F8'),
      stroke('ControlRight', { ctrlKey: true }),
    ].map(globalKeyFault);
    expect(faults).toEqual([undefined, undefined, undefined]);
  });

  it('has a readable name', () => {
    const called = (text: string) => keyName(text, englishKeys);
    expect(
      ['Space', 'Control+KeyT', 'Digit1', 'ControlRight', 'Numpad0', 'F9'].map(called),
    ).toEqual(['Space', 'Ctrl + T', '1', 'right Ctrl', '0 on the number pad', 'F9']);
    expect(called('none')).toBe('no key');
    expect(keyName('ControlRight', chineseKeys)).toBe('右 Ctrl');
  });
});

const usual = { talkKey: 'Space', keys, platform: 'Linux x86_64', mini: true };

const words = { en: (await createI18n('en')).t, zh: (await createI18n('zh')).t };

function listed(
  language: keyof typeof words,
  facts: Partial<typeof usual & { readonly globalKey: string }> = {},
) {
  return shortcutList(words[language], { ...usual, ...facts });
}

function keysOf(groups: ReturnType<typeof listed>, name: string): readonly string[] | undefined {
  return groups.flatMap(({ lines }) => lines).find((line) => line.name === name)?.keys;
}

describe('the shortcut list', () => {
  it('shows the configured talk key, and Command on a Mac', () => {
    const groups = listed('en', { talkKey: 'Control+KeyT', platform: 'MacIntel' });
    expect(keysOf(groups, 'Hold or tap to talk')).toEqual(['Ctrl + T']);
    expect(keysOf(groups, 'Commands')).toEqual(['⌘ + K']);
    expect(keysOf(listed('en'), 'Commands')).toEqual(['Ctrl + K']);
    expect(keysOf(listed('zh'), '打断')).toEqual(['Esc']);
  });

  it('shows configured keys and omits functions without a key', () => {
    const set = {
      ...keys,
      interrupt: 'F7',
      palette: 'Control+KeyP',
      pause: 'F6',
      shortcuts: 'none',
    };
    const groups = listed('en', { keys: set, globalKey: 'Control+F8' });
    expect(keysOf(groups, 'Interrupt')).toEqual(['F7']);
    expect(keysOf(groups, 'Commands')).toEqual(['Ctrl + P']);
    expect(keysOf(groups, 'Pause')).toEqual(['F6']);
    expect(keysOf(groups, 'Mute')).toEqual(['Ctrl + Shift + M']);
    expect(keysOf(groups, 'This list')).toBeUndefined();
    expect(keysOf(groups, 'The same from any program')).toEqual(['Ctrl + F8']);
    for (const name of ['Pause', 'Hold to mute', 'End', 'The same from any program'])
      expect(keysOf(listed('en'), name), name).toBeUndefined();
    expect(keysOf(listed('en'), 'This list')).toEqual(['?', 'F1']);
  });

  it.each(['en', 'zh'] as const)('has no duplicate in a group, in %s', (language) => {
    for (const { lines } of listed(language)) {
      expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length);
      for (const { keys } of lines) expect(keys).not.toHaveLength(0);
    }
  });
});

const space: TalkKeyPress = {
  ...stroke('Space', { key: ' ' }),
  repeat: false,
  composing: false,
  busy: false,
};
const escape: TalkKeyPress = { ...space, code: 'Escape', key: 'Escape' };
const hold: TalkKeyContext = {
  talking: 'hold',
  live: true,
  talkKey: 'Space',
  keys: defaultSettings.keys,
};

let talkKeys: TalkKeys;
beforeEach(() => {
  talkKeys = new TalkKeys();
});

describe('the talk keys', () => {
  it('press and release once despite key repeats', () => {
    expect(talkKeys.keyDown(space, hold)).toEqual({ action: 'press', handled: true });
    expect(talkKeys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(talkKeys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(talkKeys.keyUp(space)).toEqual({ action: 'release', handled: true });
    expect(talkKeys.keyUp(space)).toEqual({ handled: false });
  });

  it('report that the release of a held key is lost when the window loses the focus', () => {
    expect(talkKeys.blur()).toBeUndefined();
    talkKeys.keyDown(space, hold);
    expect(talkKeys.blur()).toBe('lost');
    expect(talkKeys.blur()).toBeUndefined();
    expect(talkKeys.keyUp(space)).toEqual({ handled: false });
    // A repeat after the focus returns is not a new press.
    expect(talkKeys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(talkKeys.keyUp(space)).toEqual({ handled: false });
  });

  it('report the release even after the talk ended or a field got the focus', () => {
    talkKeys.keyDown(space, hold);
    expect(
      talkKeys.keyDown({ ...space, repeat: true, busy: true }, { ...hold, live: false }),
    ).toEqual({
      handled: true,
    });
    expect(talkKeys.keyUp(space).action).toBe('release');
  });

  it.each([
    ['the microphone is open', space, { ...hold, talking: 'open' }],
    ['no talk is live', space, { ...hold, live: false }],
    ['a text field or a button uses the key', { ...space, busy: true }, hold],
    ['it is another shortcut', { ...space, ctrlKey: true }, hold],
    ['an input method is composing', { ...space, composing: true }, hold],
    ['it is another key', { ...space, code: 'KeyA', key: 'a' }, hold],
  ] as const)('are ignored when %s', (_title, press, context) => {
    expect(talkKeys.keyDown(press, context)).toEqual({ handled: false });
    expect(talkKeys.keyUp(press)).toEqual({ handled: false });
  });

  it('follow the settings even while a chord is pressed', () => {
    const chord = { ...hold, talkKey: 'Control+KeyT' };
    const t = { ...space, code: 'KeyT', key: 't' };
    expect(talkKeys.keyDown(space, chord)).toEqual({ handled: false });
    expect(talkKeys.keyDown(t, chord)).toEqual({ handled: false });
    expect(talkKeys.keyDown({ ...t, ctrlKey: true }, chord).action).toBe('press');
    expect(talkKeys.keyUp(space)).toEqual({ handled: false });
    // Either key of the chord may be released first.
    expect(talkKeys.keyUp({ code: 'ControlLeft' }).action).toBe('release');
    expect(talkKeys.keyDown({ ...t, ctrlKey: true }, chord).action).toBe('press');
    expect(talkKeys.keyUp(t).action).toBe('release');
  });

  it('mute, pause and end a live talk, once per press', () => {
    const context: TalkKeyContext = {
      ...hold,
      talking: 'open',
      keys: { ...hold.keys, pause: 'F6', end: 'Control+KeyE' },
    };
    const m = { ...space, code: 'KeyM', key: 'M', ctrlKey: true, shiftKey: true };
    expect(talkKeys.keyDown(m, context)).toEqual({ action: 'mute', handled: true });
    expect(talkKeys.keyDown({ ...m, repeat: true }, context)).toEqual({ handled: true });
    expect(talkKeys.keyDown({ ...space, code: 'F6', key: 'F6' }, context).action).toBe('pause');
    const e = { ...space, code: 'KeyE', key: 'e', ctrlKey: true };
    expect(talkKeys.keyDown(e, context).action).toBe('end');
    for (const idle of [
      { ...context, live: false },
      { ...context, keys: hold.keys },
    ])
      expect(talkKeys.keyDown(e, idle)).toEqual({ handled: false });
    expect(talkKeys.keyDown({ ...e, busy: true }, context)).toEqual({ handled: false });
  });

  it('mute while the cough key is held, and unmute if the focus is lost', () => {
    const context: TalkKeyContext = { ...hold, keys: { ...hold.keys, cough: 'KeyC' } };
    const c = { ...space, code: 'KeyC', key: 'c' };
    expect(talkKeys.keyDown(c, context).action).toBe('cough');
    expect(talkKeys.keyUp(c)).toEqual({ action: 'coughOver', handled: true });
    expect(talkKeys.keyUp(c)).toEqual({ handled: false });
    talkKeys.keyDown(c, context);
    talkKeys.keyDown(space, context);
    expect([talkKeys.blur(), talkKeys.blur(), talkKeys.blur()]).toEqual([
      'coughOver',
      'lost',
      undefined,
    ]);
  });

  it('interrupt only by the key that is set', () => {
    const f7 = { ...space, code: 'F7', key: 'F7' };
    const other = { ...hold, keys: { ...hold.keys, interrupt: 'F7' } };
    expect(talkKeys.keyDown(f7, other).action).toBe('interrupt');
    expect(talkKeys.keyDown(escape, other)).toEqual({ handled: false });
    const none = { ...hold, keys: { ...hold.keys, interrupt: 'none' }, talkKey: 'none' };
    for (const press of [f7, escape, space])
      expect(talkKeys.keyDown(press, none)).toEqual({ handled: false });
  });

  it('interrupt by Escape in every mode of a live talk, once per press', () => {
    const open: TalkKeyContext = { ...hold, talking: 'open' };
    expect(talkKeys.keyDown(escape, open)).toEqual({ action: 'interrupt', handled: true });
    expect(talkKeys.keyDown({ ...escape, repeat: true }, open)).toEqual({ handled: true });
    expect(talkKeys.keyDown({ ...escape, busy: true }, open)).toEqual({ handled: false });
    expect(talkKeys.keyDown(escape, { ...open, live: false })).toEqual({ handled: false });
  });
});

describe('the talk button', () => {
  const pointer = (name: string, pointerId: number) =>
    Object.assign(new Event(name), { pointerId });
  const openButton = () => {
    const page = new EventTarget();
    const sent: string[] = [];
    return { page, sent, button: new HeldButton(page, (key) => sent.push(key)) };
  };

  it('is released when its pointer goes up anywhere, even after the button has disappeared', () => {
    const { page, sent, button } = openButton();
    button.press(1);
    button.press(1);
    page.dispatchEvent(pointer('pointerup', 2));
    page.dispatchEvent(new Event('keyup'));
    expect(sent).toEqual(['press']);
    page.dispatchEvent(pointer('pointerup', 1));
    page.dispatchEvent(pointer('pointerup', 1));
    expect(sent).toEqual(['press', 'release']);
  });

  it('is released with its key, and lost when the window or the button loses the focus', () => {
    const { page, sent, button } = openButton();
    button.press();
    page.dispatchEvent(new Event('keyup'));
    button.press();
    page.dispatchEvent(new Event('blur'));
    button.press(1);
    button.end('lost');
    button.end('lost');
    expect(sent).toEqual(['press', 'release', 'press', 'lost', 'press', 'lost']);
  });
});
