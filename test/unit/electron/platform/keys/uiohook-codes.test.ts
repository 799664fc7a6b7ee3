import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  uiohookKeyToCode,
  hasUiohookKey,
} from '../../../../../electron/platform/keys/uiohook-codes.ts';

/** Library names that differ from the browser’s. */
const others: Readonly<Record<string, string>> = {
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

it('every key of the library has its keyboard event code', () => {
  const keys = /UiohookKey: \{([^}]+)\}/.exec(declared)?.[1] ?? '';
  const named = [...keys.matchAll(/readonly (\w+): (\d+);/g)].map(([, name = '', key]) => {
    const letter = /^[A-Z]$/.test(name) ? `Key${name}` : undefined;
    const digit = /^\d$/.test(name) ? `Digit${name}` : undefined;
    return [Number(key), letter ?? digit ?? others[name] ?? name] as const;
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.map(([key]) => uiohookKeyToCode(key))).toEqual(named.map(([, code]) => code));
});

it('an unknown key has no code', () => {
  expect(uiohookKeyToCode(0)).toBeUndefined();
  expect(hasUiohookKey('ControlRight')).toBe(true);
  expect(hasUiohookKey('BrowserBack')).toBe(false);
});
