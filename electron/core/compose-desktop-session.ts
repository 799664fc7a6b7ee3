import { describeError } from '../../shared/describe-error.ts';
import { LinuxDesktopSession } from '../adapters/system/linux-desktop-session.ts';
import type { DesktopSession } from '../ports/desktop-session.ts';

interface OpenDesktopSession extends DesktopSession {
  /** Settles once it is known what the desktop has; says why nothing can be known. */
  readonly known: Promise<string | undefined>;
  readonly end: () => Promise<void>;
}

/** macOS and Windows always show trays, and Electron tells of their locks. */
const withTray: OpenDesktopSession = {
  notifies: () => true,
  trayShown: () => true,
  onTrayShown: () => () => undefined,
  onLock: () => () => undefined,
  known: Promise.resolve(undefined),
  end: () => Promise.resolve(),
};

/** Composes what the desktop host knows of the desktop around it. */
export function composeDesktopSession(
  platform: NodeJS.Platform = process.platform,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OpenDesktopSession {
  if (platform !== 'linux') return withTray;
  const session = new LinuxDesktopSession();
  return {
    notifies: session.notifies,
    trayShown: session.trayShown,
    onTrayShown: session.onTrayShown,
    onLock: session.onLock,
    known: session.connect(environment).then(() => undefined, describeError),
    end: () => session.end(),
  };
}
