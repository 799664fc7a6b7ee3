import { beforeEach, describe, expect, it } from 'vitest';
import {
  type TalkKeyContext,
  type TalkKeyPress,
  TalkKeys,
} from '../../../../renderer/talk/talk-keys.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const space: TalkKeyPress = {
  code: 'Space',
  key: ' ',
  repeat: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
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

let keys: TalkKeys;
beforeEach(() => {
  keys = new TalkKeys();
});

describe('the talk keys', () => {
  it('press and release once despite key repeats', () => {
    expect(keys.keyDown(space, hold)).toEqual({ action: 'press', handled: true });
    expect(keys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(keys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(keys.keyUp(space)).toEqual({ action: 'release', handled: true });
    expect(keys.keyUp(space)).toEqual({ handled: false });
  });

  it('report a lost key when the window loses the focus', () => {
    expect(keys.blur()).toBeUndefined();
    keys.keyDown(space, hold);
    expect(keys.blur()).toBe('lost');
    expect(keys.blur()).toBeUndefined();
    expect(keys.keyUp(space)).toEqual({ handled: false });
    // A repeat after the focus returns is not a new press.
    expect(keys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(keys.keyUp(space)).toEqual({ handled: false });
  });

  it('report the release even after the talk ended or a field got the focus', () => {
    keys.keyDown(space, hold);
    expect(keys.keyDown({ ...space, repeat: true, busy: true }, { ...hold, live: false })).toEqual({
      handled: true,
    });
    expect(keys.keyUp(space).action).toBe('release');
  });

  it.each([
    ['the microphone is open', space, { ...hold, talking: 'open' }],
    ['no talk is live', space, { ...hold, live: false }],
    ['a text field or a button uses the key', { ...space, busy: true }, hold],
    ['it is another shortcut', { ...space, ctrlKey: true }, hold],
    ['an input method is composing', { ...space, composing: true }, hold],
    ['it is another key', { ...space, code: 'KeyA', key: 'a' }, hold],
  ] as const)('are ignored when %s', (_title, press, context) => {
    expect(keys.keyDown(press, context)).toEqual({ handled: false });
    expect(keys.keyUp(press)).toEqual({ handled: false });
  });

  it('follow the settings even while a chord is pressed', () => {
    const chord = { ...hold, talkKey: 'Control+KeyT' };
    const t = { ...space, code: 'KeyT', key: 't' };
    expect(keys.keyDown(space, chord)).toEqual({ handled: false });
    expect(keys.keyDown(t, chord)).toEqual({ handled: false });
    expect(keys.keyDown({ ...t, ctrlKey: true }, chord).action).toBe('press');
    expect(keys.keyUp(space)).toEqual({ handled: false });
    // Either key of the chord may be released first.
    expect(keys.keyUp({ code: 'ControlLeft' }).action).toBe('release');
    expect(keys.keyDown({ ...t, ctrlKey: true }, chord).action).toBe('press');
    expect(keys.keyUp(t).action).toBe('release');
  });

  it('mute, pause and end a live talk, once per press', () => {
    const context: TalkKeyContext = {
      ...hold,
      talking: 'open',
      keys: { ...hold.keys, pause: 'F6', end: 'Control+KeyE' },
    };
    const m = { ...space, code: 'KeyM', key: 'M', ctrlKey: true, shiftKey: true };
    expect(keys.keyDown(m, context)).toEqual({ action: 'mute', handled: true });
    expect(keys.keyDown({ ...m, repeat: true }, context)).toEqual({ handled: true });
    expect(keys.keyDown({ ...space, code: 'F6', key: 'F6' }, context).action).toBe('pause');
    const e = { ...space, code: 'KeyE', key: 'e', ctrlKey: true };
    expect(keys.keyDown(e, context).action).toBe('end');
    for (const idle of [
      { ...context, live: false },
      { ...context, keys: hold.keys },
    ])
      expect(keys.keyDown(e, idle)).toEqual({ handled: false });
    expect(keys.keyDown({ ...e, busy: true }, context)).toEqual({ handled: false });
  });

  it('mute a cough until the key is released or the focus is lost', () => {
    const context: TalkKeyContext = { ...hold, keys: { ...hold.keys, cough: 'KeyC' } };
    const c = { ...space, code: 'KeyC', key: 'c' };
    expect(keys.keyDown(c, context).action).toBe('cough');
    expect(keys.keyUp(c)).toEqual({ action: 'coughOver', handled: true });
    expect(keys.keyUp(c)).toEqual({ handled: false });
    keys.keyDown(c, context);
    keys.keyDown(space, context);
    expect([keys.blur(), keys.blur(), keys.blur()]).toEqual(['coughOver', 'lost', undefined]);
  });

  it('interrupt only by the key that is set', () => {
    const f7 = { ...space, code: 'F7', key: 'F7' };
    const other = { ...hold, keys: { ...hold.keys, interrupt: 'F7' } };
    expect(keys.keyDown(f7, other).action).toBe('interrupt');
    expect(keys.keyDown(escape, other)).toEqual({ handled: false });
    const none = { ...hold, keys: { ...hold.keys, interrupt: 'none' }, talkKey: 'none' };
    for (const press of [f7, escape, space])
      expect(keys.keyDown(press, none)).toEqual({ handled: false });
  });

  it('interrupt by Escape in every mode of a live talk, once per press', () => {
    const open: TalkKeyContext = { ...hold, talking: 'open' };
    expect(keys.keyDown(escape, open)).toEqual({ action: 'interrupt', handled: true });
    expect(keys.keyDown({ ...escape, repeat: true }, open)).toEqual({ handled: true });
    expect(keys.keyDown({ ...escape, busy: true }, open)).toEqual({ handled: false });
    expect(keys.keyDown(escape, { ...open, live: false })).toEqual({ handled: false });
  });
});
