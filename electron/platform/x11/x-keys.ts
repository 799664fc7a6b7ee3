import { modifierKeys, parseChord, type Modifier } from '../../../shared/talk/global-key.ts';
import { withXConnection, XConnection } from './x-connection.ts';
import {
  extensionOpcode,
  fakeKey,
  getKeyboardMapping,
  isKeyDown,
  keycodesOf,
  queryExtension,
  queryKeymap,
  grabKey,
  type XEnvironment,
} from './x-protocol.ts';
import { xKeycode } from '../keys/uiohook-codes.ts';

const modifierKeysyms: Readonly<Record<Modifier, readonly number[]>> = {
  Control: [0xff_e3, 0xff_e4],
  Alt: [0xff_e9, 0xff_ea],
  Shift: [0xff_e1, 0xff_e2],
  Meta: [0xff_eb, 0xff_ec],
};

/** The keys that paste. `keycode` is where a US keyboard has the key, for layouts without Latin letters. */
const pasteKeys: Readonly<Record<string, { readonly keysym: number; readonly keycode: number }>> = {
  KeyV: { keysym: 0x76, keycode: 55 },
  Insert: { keysym: 0xff_63, keycode: 118 },
};

/**
 * Presses a chord that pastes, with the XTEST extension of the server. Programs ignore keys that are sent as events, as
 * uiohook sends them.
 */
export async function pressXKeys(environment: XEnvironment, chord: string): Promise<boolean> {
  const { code, modifiers } = parseChord(chord);
  const key = pasteKeys[code];
  const isDone = await withXConnection(environment, async (x) => {
    const [extension, mapping, keymap] = await Promise.all([
      x.ask(queryExtension('XTEST')),
      x.ask(getKeyboardMapping()),
      x.ask(queryKeymap()),
    ]);
    const opcode = extension && extensionOpcode(extension);
    if (opcode === undefined || mapping === undefined || keymap === undefined) return false;
    if (key === undefined) return false;
    const keycodes = (modifier: Modifier): readonly number[] =>
      modifierKeysyms[modifier].flatMap((keysym) => keycodesOf(mapping, keysym));
    // The user may still hold the keys of a global key, which would change the chord.
    const pressedKeycodes = modifierKeys
      .flatMap(keycodes)
      .filter((down) => isKeyDown(keymap, down));
    for (const down of pressedKeycodes) x.send(fakeKey(opcode, down, false));
    const modifierKeycodes = [...modifiers].map((modifier) => keycodes(modifier)[0] ?? 0);
    const pasteKeycode = keycodesOf(mapping, key.keysym)[0] ?? key.keycode;
    for (const down of [...modifierKeycodes, pasteKeycode]) x.send(fakeKey(opcode, down, true));
    for (const up of [pasteKeycode, ...modifierKeycodes.toReversed()])
      x.send(fakeKey(opcode, up, false));
    // When the server answers this later request, it has pressed the keys.
    return (await x.ask(queryKeymap())) !== undefined;
  });
  return isDone === true;
}

const modifierBits: Readonly<Record<Modifier, number>> = { Shift: 1, Control: 4, Alt: 8, Meta: 64 };
const capsLock = 2;
const numLock = 16;

/**
 * Keeps a chord from other programs until the returned function is called. Parley's key helper still sees the
 * chord, because the helper watches the keyboard itself. Does nothing if another program has grabbed the chord, or without X11.
 */
export async function withholdXKey(environment: XEnvironment, chord: string): Promise<() => void> {
  const { code, modifiers } = parseChord(chord);
  const keycode = xKeycode(code);
  if (keycode === undefined) return doNothing;
  const x = await XConnection.open(environment).catch(() => undefined);
  if (x === undefined) return doNothing;
  const bits = [...modifiers].reduce((sum, modifier) => sum + modifierBits[modifier], 0);
  for (const locks of [0, capsLock, numLock, capsLock + numLock])
    x.send(grabKey(x.root, bits + locks, keycode));
  // When the server answers this later request, it has carried out the others.
  await x.ask(queryKeymap());
  return () => x.end();
}

const doNothing = (): void => undefined;
