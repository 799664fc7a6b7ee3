import { expect, it } from 'vitest';
import { portalTrigger } from '../../../../../electron/platform/keys/portal-backend.ts';

it.each([
  ['Control+Alt+KeyT', 'CTRL+ALT+t'],
  ['Shift+F12', 'SHIFT+F12'],
  ['Meta+Space', 'LOGO+space'],
  ['Digit7', '7'],
  ['Numpad7', 'KP_7'],
  ['ControlRight', 'Control_R'],
  ['Backquote', 'grave'],
  ['MediaPlayPause', 'XF86AudioPlay'],
])('the chord %s is the trigger %s of a portal', (chord, trigger) => {
  expect(portalTrigger(chord)).toBe(trigger);
});

it('a chord whose key has no name has no trigger', () => {
  expect(portalTrigger('Control+Lang5')).toBeUndefined();
});
