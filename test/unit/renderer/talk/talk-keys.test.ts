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

describe('the keys of a talk', () => {
  it('press and release, once each, however often the key repeats', () => {
    expect(keys.keyDown(space, hold)).toEqual({ action: 'press', handled: true });
    expect(keys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(keys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(keys.keyUp(space)).toEqual({ action: 'release', handled: true });
    expect(keys.keyUp(space)).toEqual({ handled: false });
  });

  it('are lost with the keyboard while one is down, and then only', () => {
    expect(keys.blurred()).toBeUndefined();
    keys.keyDown(space, hold);
    expect(keys.blurred()).toBe('lost');
    expect(keys.blurred()).toBeUndefined();
    expect(keys.keyUp(space)).toEqual({ handled: false });
    // Still held when the window comes back: that was not pressed for this.
    expect(keys.keyDown({ ...space, repeat: true }, hold)).toEqual({ handled: true });
    expect(keys.keyUp(space)).toEqual({ handled: false });
  });

  it('come up although the talk has ended or a field has the keyboard meanwhile', () => {
    keys.keyDown(space, hold);
    expect(keys.keyDown({ ...space, repeat: true, busy: true }, { ...hold, live: false })).toEqual({
      handled: true,
    });
    expect(keys.keyUp(space).action).toBe('release');
  });

  it.each([
    ['an open microphone needs none', space, { ...hold, talking: 'open' }],
    ['nothing is live', space, { ...hold, live: false }],
    ['a text is written or a button worked', { ...space, busy: true }, hold],
    ['it is somebody else’s shortcut', { ...space, ctrlKey: true }, hold],
    ['a word is being composed', { ...space, composing: true }, hold],
    ['it is another key', { ...space, code: 'KeyA', key: 'a' }, hold],
  ] as const)('are left alone where %s', (_title, press, wishes) => {
    expect(keys.keyDown(press, wishes)).toEqual({ handled: false });
    expect(keys.keyUp(press)).toEqual({ handled: false });
  });

  it('are what the settings say, and the one that is down ends what it began', () => {
    const chord = { ...hold, talkKey: 'Control+KeyT' };
    const t = { ...space, code: 'KeyT', key: 't' };
    expect(keys.keyDown(space, chord)).toEqual({ handled: false });
    expect(keys.keyDown(t, chord)).toEqual({ handled: false });
    expect(keys.keyDown({ ...t, ctrlKey: true }, chord).action).toBe('press');
    expect(keys.keyUp(space)).toEqual({ handled: false });
    // Either of the two comes up first.
    expect(keys.keyUp({ code: 'ControlLeft' }).action).toBe('release');
    expect(keys.keyDown({ ...t, ctrlKey: true }, chord).action).toBe('press');
    expect(keys.keyUp(t).action).toBe('release');
  });

  it('mute, pause and end a live talk by the keys that are set, once a press', () => {
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

  it('cough for as long as the key is down, also where the keyboard is lost meanwhile', () => {
    const context: TalkKeyContext = { ...hold, keys: { ...hold.keys, cough: 'KeyC' } };
    const c = { ...space, code: 'KeyC', key: 'c' };
    expect(keys.keyDown(c, context).action).toBe('cough');
    expect(keys.keyUp(c)).toEqual({ action: 'coughOver', handled: true });
    expect(keys.keyUp(c)).toEqual({ handled: false });
    keys.keyDown(c, context);
    keys.keyDown(space, context);
    expect([keys.blurred(), keys.blurred(), keys.blurred()]).toEqual([
      'coughOver',
      'lost',
      undefined,
    ]);
  });

  it('interrupt by another key where another is set, and by none where none is', () => {
    const f7 = { ...space, code: 'F7', key: 'F7' };
    const other = { ...hold, keys: { ...hold.keys, interrupt: 'F7' } };
    expect(keys.keyDown(f7, other).action).toBe('interrupt');
    expect(keys.keyDown(escape, other)).toEqual({ handled: false });
    const none = { ...hold, keys: { ...hold.keys, interrupt: 'none' }, talkKey: 'none' };
    for (const press of [f7, escape, space])
      expect(keys.keyDown(press, none)).toEqual({ handled: false });
  });

  it('interrupt by Escape in every mode of a live talk, once a press', () => {
    const open: TalkKeyContext = { ...hold, talking: 'open' };
    expect(keys.keyDown(escape, open)).toEqual({ action: 'interrupt', handled: true });
    expect(keys.keyDown({ ...escape, repeat: true }, open)).toEqual({ handled: true });
    expect(keys.keyDown({ ...escape, busy: true }, open)).toEqual({ handled: false });
    expect(keys.keyDown(escape, { ...open, live: false })).toEqual({ handled: false });
  });
});
