import { actionName } from '../../../shared/cursor/cursor-action.ts';
import { failure, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import { type CoreMessages, fillMessage } from '../../../shared/i18n/messages.ts';
import {
  type GlobalKey,
  type Modifier,
  parseChord,
  type TalkKeyEvent,
} from '../../../shared/talk/global-key.ts';
import type { GlobalKeyBackend, GlobalKeyListening } from '../../talk/keys/global-key-backend.ts';
import {
  DbusConnection,
  DbusError,
  sessionBusSocket,
  type DbusMessage,
  signalName,
} from '../dbus/dbus-connection.ts';
import type { DbusValue } from '../dbus/dbus-values.ts';
import { DesktopPortal, sessionClosed, textVariant } from '../dbus/desktop-portal.ts';
import { isWayland, type KeySystem } from '../system/linux-desktop-session.ts';

/** The name under which the desktop remembers a shortcut. If the name changes, every user must choose the key again. */
const shortcutId = (key: GlobalKey): string => (key.id === 'talk' ? 'push-to-talk' : key.id);
const shortcutsInterface = 'org.freedesktop.portal.GlobalShortcuts';

/** Receives the keys from the desktop, the only source under Wayland. The desktop shows their descriptions to the user. */
export function createPortalBackend(
  system: KeySystem,
  messages: () => Promise<ShortcutMessages>,
): GlobalKeyBackend {
  const socket = (): string | undefined => sessionBusSocket(system.environment);
  return {
    name: 'portal',
    isSupported: () => isWayland(system) && socket() !== undefined,
    listen: async (keys, onEvent, onEnded, withdrawn) => {
      const path = socket();
      if (path === undefined) return failure('globalKeyPortalMissing');
      let bus: DbusConnection | undefined;
      try {
        bus = await DbusConnection.open(path);
        const { end } = bus;
        // The portal closes its dialog when the requesting connection closes.
        void withdrawn?.then(end);
        const texts = await messages();
        const describedKeys = keys.map((key) => ({ ...key, description: describeKey(key, texts) }));
        const answer = await new PortalShortcuts(bus, onEvent, onEnded).bind(describedKeys);
        if (answer.ok) return answer;
        await bus.end();
        return answer;
      } catch (error) {
        await bus?.end();
        if (!(error instanceof DbusError)) throw error;
        return failure('globalKeyPortalMissing', {}, { detail: describeError(error) });
      }
    },
  };
}

type ShortcutMessages = Pick<CoreMessages, 'cursor' | 'desktop'>;

function describeKey({ id, action }: GlobalKey, { cursor, desktop }: ShortcutMessages): string {
  const { action: form, ...names } = desktop.shortcutNames;
  if (action !== undefined) return fillMessage(form, { action: actionName(action, cursor.names) });
  const fixed: Readonly<Record<string, string>> = names;
  return fixed[id] ?? id;
}

interface DescribedKey extends GlobalKey {
  readonly description: string;
}

class PortalShortcuts {
  readonly #bus: DbusConnection;
  readonly #onEvent: (id: string, event: TalkKeyEvent) => void;
  readonly #onEnded: () => void;
  #session = '';
  #phase: 'binding' | 'bound' | 'over' = 'binding';
  #keys: readonly GlobalKey[] = [];
  readonly #down = new Set<string>();

  constructor(
    bus: DbusConnection,
    onEvent: (id: string, event: TalkKeyEvent) => void,
    onEnded: () => void,
  ) {
    this.#bus = bus;
    this.#onEvent = onEvent;
    this.#onEnded = onEnded;
  }

  async bind(keys: readonly DescribedKey[]): Promise<Outcome<GlobalKeyListening>> {
    this.#keys = keys;
    const portal = await DesktopPortal.find(this.#bus, shortcutsInterface);
    const session = await portal.createSession();
    if (session === undefined) return failure('globalKeyPortalRefused');
    this.#session = session;
    portal.listen(
      (signal) => this.#handleSignal(signal),
      () => this.#endLost(),
    );
    const bound = await portal.request('BindShortcuts', 'oa(sa{sv})s', [
      session,
      keys.map(shortcutEntry),
      '',
    ]);
    if (bound.answer === 'refused') return failure('globalKeyPortalRefused');
    if (this.#phase === 'over') return failure('globalKeyPortalMissing');
    this.#phase = 'bound';
    this.#bus.onClosed(() => this.#endLost());
    return { ok: true, value: { refused: new Map(), stop: () => this.#stop() } };
  }

  #handleSignal(signal: DbusMessage): void {
    const name = signalName(signal);
    if (signal.path === this.#session && name === sessionClosed) this.#endLost();
    const [session, shortcut] = signal.body;
    if (this.#phase !== 'bound' || session !== this.#session) return;
    const id = this.#keys.find((key) => shortcutId(key) === shortcut)?.id;
    if (id === undefined) return;
    if (name === `${shortcutsInterface}.Activated` && !this.#down.has(id)) {
      this.#down.add(id);
      this.#onEvent(id, 'press');
    } else if (name === `${shortcutsInterface}.Deactivated` && this.#down.delete(id)) {
      this.#onEvent(id, 'release');
    }
  }

  /** Ends because the desktop closed the session, or the portal or the bus is gone. */
  #endLost(): void {
    const wasBound = this.#phase === 'bound';
    this.#phase = 'over';
    void this.#bus.end();
    if (!wasBound) return;
    for (const id of this.#down) this.#onEvent(id, 'lost');
    this.#onEnded();
  }

  /** Closes the connection, and with it the session. */
  async #stop(): Promise<void> {
    this.#phase = 'over';
    await this.#bus.end();
  }
}

function shortcutEntry(key: DescribedKey): DbusValue {
  const trigger = portalTrigger(key.chord);
  const preference = {
    description: key.description,
    ...(trigger !== undefined && { preferred_trigger: trigger }),
  };
  const entries = Object.entries(preference).map(([name, value]) => [name, textVariant(value)]);
  return [shortcutId(key), entries];
}

const modifiers: Readonly<Record<Modifier, string>> = {
  Control: 'CTRL',
  Alt: 'ALT',
  Shift: 'SHIFT',
  Meta: 'LOGO',
};

/** xkbcommon key names, by their position on a US keyboard. */
const keysyms: Readonly<Record<string, string>> = {
  Space: 'space',
  Enter: 'Return',
  Backspace: 'BackSpace',
  Tab: 'Tab',
  Escape: 'Escape',
  CapsLock: 'Caps_Lock',
  ScrollLock: 'Scroll_Lock',
  NumLock: 'Num_Lock',
  Pause: 'Pause',
  PrintScreen: 'Print',
  ContextMenu: 'Menu',
  Insert: 'Insert',
  Delete: 'Delete',
  Home: 'Home',
  End: 'End',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Minus: 'minus',
  Equal: 'equal',
  BracketLeft: 'bracketleft',
  BracketRight: 'bracketright',
  Backslash: 'backslash',
  IntlBackslash: 'less',
  Semicolon: 'semicolon',
  Quote: 'apostrophe',
  Backquote: 'grave',
  Comma: 'comma',
  Period: 'period',
  Slash: 'slash',
  NumpadAdd: 'KP_Add',
  NumpadSubtract: 'KP_Subtract',
  NumpadMultiply: 'KP_Multiply',
  NumpadDivide: 'KP_Divide',
  NumpadDecimal: 'KP_Decimal',
  NumpadEnter: 'KP_Enter',
  NumpadEqual: 'KP_Equal',
  ControlLeft: 'Control_L',
  ControlRight: 'Control_R',
  AltLeft: 'Alt_L',
  AltRight: 'Alt_R',
  ShiftLeft: 'Shift_L',
  ShiftRight: 'Shift_R',
  MetaLeft: 'Super_L',
  MetaRight: 'Super_R',
  MediaPlayPause: 'XF86AudioPlay',
  MediaStop: 'XF86AudioStop',
  MediaTrackNext: 'XF86AudioNext',
  MediaTrackPrevious: 'XF86AudioPrev',
};

/**
 * Converts a chord to the notation of the shortcuts specification (`CTRL+ALT+t`). Undefined for a key without a name there.
 * The chord is only a preference, because the desktop lets the user choose.
 */
export function portalTrigger(chord: string): string | undefined {
  const { code, modifiers: chordModifiers } = parseChord(chord);
  const key = keysyms[code] ?? numberedKeysym(code);
  if (key === undefined) return undefined;
  return [...[...chordModifiers].map((modifier) => modifiers[modifier]), key].join('+');
}

function numberedKeysym(code: string): string | undefined {
  if (/^F\d{1,2}$/.test(code)) return code;
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z]|\d)$/.exec(code) ?? [];
  if (kind === 'Numpad') return `KP_${name}`;
  return kind === undefined ? undefined : name.toLowerCase();
}
