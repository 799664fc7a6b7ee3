import { describeError } from '../../../shared/describe-error.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { GlobalKeyBackend, GlobalKeyEvent } from '../../ports/global-keys.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { sessionBusSocket } from '../dbus/dbus-address.ts';
import { DbusConnection, DbusError } from '../dbus/dbus-connection.ts';
import { signalName } from '../dbus/dbus-message.ts';
import type { DbusMessage } from '../dbus/dbus-message.ts';
import { isWayland } from './key-system.ts';
import type { KeySystem } from './key-system.ts';
import { PortalDesktop, sessionIn, shortcutsInterface, text } from './portal-desktop.ts';
import { portalTrigger } from './portal-trigger.ts';

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
  readonly #hear: (event: GlobalKeyEvent) => void;
  readonly #ended: () => void;
  #session = '';
  #phase: 'binding' | 'bound' | 'over' = 'binding';
  #isDown = false;

  constructor(bus: DbusConnection, hear: (event: GlobalKeyEvent) => void, ended: () => void) {
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
