import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  hasUiohookKey,
  uiohookKeyToCode,
} from '../../../../../electron/platform/keys/uiohook-codes.ts';

/** Names of the library that differ from those of keyboard events. */
const otherNames: Readonly<Record<string, string>> = {
  Ctrl: 'ControlLeft',
  CtrlRight: 'ControlRight',
  Alt: 'AltLeft',
  Shift: 'ShiftLeft',
  Meta: 'MetaLeft',
  NumpadEnd: 'Numpad1',
  NumpadArrowDown: 'Numpad2',
  NumpadPageDown: 'Numpad3',
  NumpadArrowLeft: 'Numpad4',
  NumpadArrowRight: 'Numpad6',
  NumpadHome: 'Numpad7',
  NumpadArrowUp: 'Numpad8',
  NumpadPageUp: 'Numpad9',
  NumpadInsert: 'Numpad0',
  NumpadDelete: 'NumpadDecimal',
};

// Read as text, because loading needs an X display.
const declared = readFileSync('node_modules/uiohook-napi/dist/index.d.ts', 'utf8');

it('every key of the library has the code of its keyboard event', () => {
  const keys = /UiohookKey: \{([^}]+)\}/.exec(declared)?.[1] ?? '';
  const named = [...keys.matchAll(/readonly (\w+): (\d+);/g)].map(([, name = '', key]) => {
    const letter = /^[A-Z]$/.test(name) ? `Key${name}` : undefined;
    const digit = /^\d$/.test(name) ? `Digit${name}` : undefined;
    return [Number(key), letter ?? digit ?? otherNames[name] ?? name] as const;
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.map(([key]) => uiohookKeyToCode(key))).toEqual(named.map(([, code]) => code));
});

it('a key that is unknown to the library has no code', () => {
  expect(uiohookKeyToCode(0)).toBeUndefined();
  expect(hasUiohookKey('ControlRight')).toBe(true);
  expect(hasUiohookKey('BrowserBack')).toBe(false);
});
