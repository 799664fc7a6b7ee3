import { type Modifier, parseChord } from '../../../shared/talk/global-key.ts';
import { xKeycode } from '../keys/uiohook-codes.ts';
import { XConnection } from './x-connection.ts';
import { grabKey, queryKeymap } from './x-protocol.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const modifierBits: Readonly<Record<Modifier, number>> = { Shift: 1, Control: 4, Alt: 8, Meta: 64 };
const capsLock = 2;
const numLock = 16;

/**
 * Keeps a chord from other programs until the returned function is called. Parley's key helper still sees it, because it
 * watches the keyboard itself. Does nothing if another program has grabbed the chord, or without X11.
 */
export async function withholdXKey(environment: Environment, chord: string): Promise<() => void> {
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
