import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import { type Modifier, parseChord, type TalkKeyEvent } from '../../../shared/talk/global-key.ts';
import type { GlobalKeyBackend } from '../../talk/keys/global-key-backend.ts';
import { busCall, DbusConnection, DbusError, sessionBusSocket } from '../dbus/dbus-connection.ts';
import { type DbusMessage, signalName } from '../dbus/dbus-message.ts';
import { type DbusValue, type DbusVariant, entryOf, textOf } from '../dbus/dbus-values.ts';
import { isWayland, type KeySystem } from '../system/linux-desktop-session.ts';

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

const portalName = 'org.freedesktop.portal.Desktop';
const portalPath = '/org/freedesktop/portal/desktop';
const shortcutsInterface = 'org.freedesktop.portal.GlobalShortcuts';

/** How a question to the person came out, and what it brought. */
interface PortalResponse {
  readonly answer: 'granted' | 'refused';
  readonly results: DbusValue | undefined;
}

/** The desktop's portal, and the only program whose signals count. */
class PortalDesktop {
  readonly #bus: DbusConnection;
  readonly #owner: string;
  #requests = 0;

  private constructor(bus: DbusConnection, owner: string) {
    this.#bus = bus;
    this.#owner = owner;
  }

  /** Throws a DbusError where there is no portal, or one without shortcuts. */
  static async find(bus: DbusConnection): Promise<PortalDesktop> {
    await bus.subscribe(`type='signal',sender='${portalName}'`);
    await bus.subscribe(
      `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${portalName}'`,
    );
    await introduce(bus);
    // A call of its own, because it starts a portal that is not running yet.
    await bus.call({
      ...portalCall('org.freedesktop.DBus.Properties', 'Get'),
      signature: 'ss',
      body: [shortcutsInterface, 'version'],
    });
    const [owner] = await bus.call({
      ...busCall('GetNameOwner'),
      signature: 's',
      body: [portalName],
    });
    return new PortalDesktop(bus, textOf(owner));
  }

  /**
   * Calls back for every signal of the portal's, and once when it is gone. Any program of the session can
   * send what looks like one, and a key that opens the microphone is not taken from any.
   */
  listen(hear: (signal: DbusMessage) => void, gone: () => void): void {
    this.#bus.onSignal((signal) => {
      if (signal.sender === this.#owner) hear(signal);
      else if (isGone(signal)) gone();
    });
  }

  /** Asks something that may take as long as a person needs, and waits for the answer. */
  async request(
    member: string,
    signature: string,
    body: readonly DbusValue[],
    options: Readonly<Record<string, DbusVariant>> = {},
  ): Promise<PortalResponse> {
    this.#requests += 1;
    const token = `parley${this.#requests}`;
    const path = `${portalPath}/request/${this.#pathName()}/${token}`;
    const response = this.#response(path);
    // Where the call itself fails nobody waits for it.
    response.catch(() => undefined);
    const all = { ...options, handle_token: text(token) };
    await this.#bus.call({
      ...portalCall(shortcutsInterface, member),
      signature: `${signature}a{sv}`,
      body: [...body, Object.entries(all)],
    });
    return response;
  }

  /** Heard before it is asked for: the answer may come before the call's own reply. */
  #response(path: string): Promise<PortalResponse> {
    return new Promise((resolve, reject) => {
      this.listen(
        (signal) => {
          if (signal.path !== path) return;
          if (signalName(signal) !== 'org.freedesktop.portal.Request.Response') return;
          const [code, results] = signal.body;
          resolve({ answer: code === 0 ? 'granted' : 'refused', results });
        },
        () => {
          reject(new DbusError('', 'the portal is gone'));
        },
      );
      this.#bus.onClosed(() => {
        reject(new DbusError('', 'the bus is gone'));
      });
    });
  }

  /** This line's name on the bus, as it stands in the paths of its requests. */
  #pathName(): string {
    return this.#bus.name.slice(1).replaceAll('.', '_');
  }
}

function text(value: string): DbusVariant {
  return { signature: 's', value };
}

/** The path of the session that a portal has made. */
function sessionIn(results: DbusValue | undefined): string | undefined {
  const handle = entryOf(results, 'session_handle');
  return typeof handle === 'string' ? handle : undefined;
}

/** To be told by which name we are known here; portals before 1.20 have no such door, and need none. */
async function introduce(bus: DbusConnection): Promise<void> {
  try {
    await bus.call({
      ...portalCall('org.freedesktop.host.portal.Registry', 'Register'),
      signature: 'sa{sv}',
      body: ['org.parley.Parley', []],
    });
  } catch (error) {
    if (!(error instanceof DbusError) || error.errorName === '') throw error;
  }
}

function portalCall(face: string, member: string) {
  return { destination: portalName, path: portalPath, interface: face, member };
}

function isGone(signal: DbusMessage): boolean {
  const [name, , newOwner] = signal.body;
  return (
    signal.sender === 'org.freedesktop.DBus' &&
    signalName(signal) === 'org.freedesktop.DBus.NameOwnerChanged' &&
    name === portalName &&
    newOwner === ''
  );
}
