import { failure, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import {
  DbusConnection,
  DbusError,
  sessionBusSocket,
  signalName,
} from '../dbus/dbus-connection.ts';
import { asString, type DbusVariant, dictionaryValue } from '../dbus/dbus-values.ts';
import { DesktopPortal, sessionClosed, textVariant } from '../dbus/desktop-portal.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';

const keyboardInterface = 'org.freedesktop.portal.RemoteDesktop';
/** The bit of a keyboard in the portal's set of devices. */
const keyboardDevice = 1;
/** The permission lasts until the user withdraws it in the settings of the desktop. */
const untilWithdrawn = 2;
/** A dialog that the user does not answer in this time closes. */
const answerTimeoutMs = 60_000;
/** Desktops give shorter tokens than this. */
const maxTokenLength = 4096;

const keysyms = { control: 0xff_e3, v: 0x76 } as const;

/** A keyboard that the desktop lent to Parley. */
export interface PortalKeyboard {
  /** Presses Ctrl+V. Returns false if the desktop has closed the session. */
  readonly paste: () => Promise<boolean>;
  readonly end: () => Promise<void>;
}

/**
 * Asks the desktop for a keyboard, because GNOME and KDE offer programs this way to press keys under Wayland. The
 * desktop asks the user the first time, and later accepts the stored token. A token is valid once, and each answer has
 * the next one.
 */
export async function openPortalKeyboard(
  environment: Readonly<Record<string, string | undefined>>,
  token: Pick<StateFile, 'read' | 'write'>,
): Promise<Outcome<PortalKeyboard>> {
  const path = sessionBusSocket(environment);
  if (path === undefined) return failure('cursorTargetUnknown');
  let bus: DbusConnection | undefined;
  try {
    bus = await DbusConnection.open(path);
    const opened = await withTimeout(answerTimeoutMs, requestKeyboard(bus, token));
    if (opened !== timedOut && opened !== undefined) return { ok: true, value: opened };
    // The portal closes its dialog together with the connection.
    await bus.end();
    return failure('cursorKeysRefused');
  } catch (error) {
    await bus?.end();
    if (!(error instanceof DbusError)) throw error;
    return failure('cursorTargetUnknown', {}, { detail: describeError(error) });
  }
}

async function requestKeyboard(
  bus: DbusConnection,
  token: Pick<StateFile, 'read' | 'write'>,
): Promise<PortalKeyboard | undefined> {
  const portal = await DesktopPortal.find(bus, keyboardInterface);
  const session = await portal.createSession();
  if (session === undefined) return undefined;
  portal.listen(
    (signal) => {
      if (signal.path === session && signalName(signal) === sessionClosed) void bus.end();
    },
    () => void bus.end(),
  );
  const stored = readToken(token);
  const selected = await portal.request('SelectDevices', 'o', [session], {
    types: uint32Variant(keyboardDevice),
    persist_mode: uint32Variant(untilWithdrawn),
    ...(stored !== '' && { restore_token: textVariant(stored) }),
  });
  if (selected.answer === 'refused') return undefined;
  const started = await portal.request('Start', 'os', [session, '']);
  const devices = Number(dictionaryValue(started.results, 'devices') ?? 0);
  if (started.answer === 'refused' || devices % 2 !== keyboardDevice) return undefined;
  const nextToken = asString(dictionaryValue(started.results, 'restore_token'));
  // Without a token, the desktop asks the user again the next time.
  await token.write(`${JSON.stringify({ token: nextToken })}\n`);
  const press = (keysym: number, isDown: boolean) =>
    portal.call('NotifyKeyboardKeysym', 'oa{sv}iu', [session, [], keysym, isDown ? 1 : 0]);
  return {
    paste: async () => {
      try {
        await press(keysyms.control, true);
        await press(keysyms.v, true);
        await press(keysyms.v, false);
        await press(keysyms.control, false);
        return true;
      } catch (error) {
        if (!(error instanceof DbusError)) throw error;
        return false;
      }
    },
    end: bus.end,
  };
}

function readToken(file: Pick<StateFile, 'read'>): string {
  const stored = file.read();
  if (!stored.ok || stored.value === undefined) return '';
  const token = parseJsonObject(stored.value)?.['token'];
  return typeof token === 'string' && token.length <= maxTokenLength ? token : '';
}

function uint32Variant(value: number): DbusVariant {
  return { signature: 'u', value };
}
