import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import { type Modifier, parseChord, type TalkKeyEvent } from '../../../shared/talk/global-key.ts';
import type { GlobalKeyBackend } from '../../talk/keys/global-key-backend.ts';
import { DbusConnection, DbusError, sessionBusSocket } from '../dbus/dbus-connection.ts';
import { type DbusMessage, signalName } from '../dbus/dbus-message.ts';
import { isWayland, type KeySystem } from '../system/linux-desktop-session.ts';
import { PortalDesktop, sessionIn, shortcutsInterface, text } from './portal-desktop.ts';

/** The name by which the desktop remembers the shortcut; who changes it makes every person choose anew. */
const shortcutId = 'push-to-talk';
const sessionClosed = 'org.freedesktop.portal.Session.Closed';

/**
 * Both ends of a key, told by the desktop itself, which is the only one under Wayland that knows them.
 * `describe` says to the person, in the desktop's own window, what the key does.
 */
export function createPortalBackend(
  system: KeySystem,
  describe: () => Promise<string>,
): GlobalKeyBackend {
  const socket = (): string | undefined => sessionBusSocket(system.environment);
  return {
    name: 'portal',
    offered: () => isWayland(system) && socket() !== undefined,
    listen: async (chord, hear, ended, withdrawn) => {
      const path = socket();
      if (path === undefined) return failure('globalKeyPortalMissing');
      let bus: DbusConnection | undefined;
      try {
        bus = await DbusConnection.open(path);
        const { end } = bus;
        // The portal takes its question to the person back when the one who asks is gone.
        void withdrawn?.then(end);
        const shortcut = new PortalShortcut(bus, hear, ended);
        const answer = await shortcut.bind(chord, await describe());
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

/** One shortcut, in a session of its own with the portal and on a line of its own. */
class PortalShortcut {
  readonly #bus: DbusConnection;
  readonly #hear: (event: TalkKeyEvent) => void;
  readonly #ended: () => void;
  #session = '';
  #phase: 'binding' | 'bound' | 'over' = 'binding';
  #isDown = false;

  constructor(bus: DbusConnection, hear: (event: TalkKeyEvent) => void, ended: () => void) {
    this.#bus = bus;
    this.#hear = hear;
    this.#ended = ended;
  }

  async bind(chord: string, description: string): Promise<Outcome<() => Promise<void>>> {
    const portal = await PortalDesktop.find(this.#bus);
    const created = await portal.request('CreateSession', '', [], {
      session_handle_token: text('parley'),
    });
    const session = sessionIn(created.results);
    if (created.answer === 'refused' || session === undefined)
      return failure('globalKeyPortalRefused');
    this.#session = session;
    portal.listen(
      (signal) => {
        this.#take(signal);
      },
      () => {
        this.#lose();
      },
    );
    const trigger = portalTrigger(chord);
    const wish = { description, ...(trigger !== undefined && { preferred_trigger: trigger }) };
    const entries = Object.entries(wish).map(([name, value]) => [name, text(value)]);
    const bound = await portal.request('BindShortcuts', 'oa(sa{sv})s', [
      session,
      [[shortcutId, entries]],
      '',
    ]);
    if (bound.answer === 'refused') return failure('globalKeyPortalRefused');
    if (this.#phase === 'over') return failure('globalKeyPortalMissing');
    this.#phase = 'bound';
    this.#bus.onClosed(() => {
      this.#lose();
    });
    return { ok: true, value: () => this.#stop() };
  }

  #take(signal: DbusMessage): void {
    const name = signalName(signal);
    if (signal.path === this.#session && name === sessionClosed) this.#lose();
    const [session, id] = signal.body;
    if (this.#phase !== 'bound' || session !== this.#session || id !== shortcutId) return;
    if (name === `${shortcutsInterface}.Activated` && !this.#isDown) {
      this.#isDown = true;
      this.#hear('press');
    } else if (name === `${shortcutsInterface}.Deactivated` && this.#isDown) {
      this.#isDown = false;
      this.#hear('release');
    }
  }

  /** The session is over, and not by us. */
  #lose(): void {
    const wasBound = this.#phase === 'bound';
    this.#phase = 'over';
    void this.#bus.end();
    if (!wasBound) return;
    if (this.#isDown) this.#hear('lost');
    this.#ended();
  }

  /** The portal closes a session whose line is gone. */
  async #stop(): Promise<void> {
    this.#phase = 'over';
    await this.#bus.end();
  }
}

const modifiers: Readonly<Record<Modifier, string>> = {
  Control: 'CTRL',
  Alt: 'ALT',
  Shift: 'SHIFT',
  Meta: 'LOGO',
};

/** Keys by their names in xkbcommon, as they are called on a keyboard of the United States. */
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
 * A chord as the specification of shortcuts writes it (`CTRL+ALT+t`); undefined for a key that it has no
 * name for. It is only a wish: what the key is in the end, the desktop lets the person choose.
 */
export function portalTrigger(chord: string): string | undefined {
  const { code, modifiers: held } = parseChord(chord);
  const key = keysyms[code] ?? keysymIn(code);
  if (key === undefined) return undefined;
  return [...[...held].map((modifier) => modifiers[modifier]), key].join('+');
}

function keysymIn(code: string): string | undefined {
  if (/^F\d{1,2}$/.test(code)) return code;
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z]|\d)$/.exec(code) ?? [];
  if (kind === 'Numpad') return `KP_${name}`;
  return kind === undefined ? undefined : name.toLowerCase();
}
