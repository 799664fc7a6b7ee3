import { type Modifier, modifierKeys, parseChord } from '../../../shared/talk/global-key.ts';
import { withXConnection } from './x-connection.ts';
import {
  extensionOpcode,
  fakeKey,
  getKeyboardMapping,
  isKeyDown,
  keycodesOf,
  queryExtension,
  queryKeymap,
} from './x-protocol.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const modifierKeysyms: Readonly<Record<Modifier, readonly number[]>> = {
  Control: [0xff_e3, 0xff_e4],
  Alt: [0xff_e9, 0xff_ea],
  Shift: [0xff_e1, 0xff_e2],
  Meta: [0xff_eb, 0xff_ec],
};

/** The keys that paste. A layout without Latin letters has V at the place of a US keyboard. */
const pasteKeys: Readonly<Record<string, { readonly keysym: number; readonly keycode: number }>> = {
  KeyV: { keysym: 0x76, keycode: 55 },
  Insert: { keysym: 0xff_63, keycode: 118 },
};

/**
 * Presses a chord that pastes. Programs ignore keys that are sent as events, which is how uiohook sends them, so this
 * uses the server's test extension.
 */
export async function pressXKeys(environment: Environment, chord: string): Promise<boolean> {
  const { code, modifiers } = parseChord(chord);
  const key = pasteKeys[code];
  const pressed = await withXConnection(environment, async (x) => {
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
    const stillDown = modifierKeys.flatMap(keycodes).filter((down) => isKeyDown(keymap, down));
    for (const down of stillDown) x.send(fakeKey(opcode, down, false));
    const held = [...modifiers].map((modifier) => keycodes(modifier)[0] ?? 0);
    const pasting = keycodesOf(mapping, key.keysym)[0] ?? key.keycode;
    for (const down of [...held, pasting]) x.send(fakeKey(opcode, down, true));
    for (const up of [pasting, ...held.toReversed()]) x.send(fakeKey(opcode, up, false));
    // The answer to a later request tells that the server has taken the keys.
    return (await x.ask(queryKeymap())) !== undefined;
  });
  return pressed === true;
}
