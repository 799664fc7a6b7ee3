import { powerSaveBlocker } from 'electron';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { TalkView } from '../../../../shared/talk/talk-view.ts';
import { keepOnScreen } from '../create-window.ts';
import type { DesktopApp } from '../desktop-app.ts';
import type { DesktopCore } from '../desktop-core.ts';
import { chooseClosingAction } from '../desktop-windows.ts';
import { openTray } from '../tray.ts';
import { AppMenu } from './app-menu.ts';
import { openAutostart, openLinkHandler } from './system-registration.ts';
import { DesktopNotifications } from './notifications.ts';

/** How long to wait for a tray: at login, a panel may start seconds after Parley. */
const trayWaitMs = 10_000;

/** Connects the app to the desktop: menu, tray, notifications, autostart, links and sleep. */
export async function openIntegration(
  parley: DesktopCore,
  desktop: DesktopApp,
  hidden: boolean,
): Promise<void> {
  const { windows, session, links, files } = desktop;
  const { lifetime, log } = parley;
  new AppMenu(parley, windows).open();
  keepAwake(parley);
  keepOnScreen(lifetime);
  openAutostart(parley);
  openLinkHandler(parley);
  const problem = await session.detected;
  if (problem !== undefined) log.write('warn', `desktop features are limited: ${problem}`);
  if (lifetime.hasEnded) return;
  openTray(parley, windows, session);
  const notifications = new DesktopNotifications(parley, windows, session.canNotify);
  setClosing(parley, desktop, notifications);
  links.serve((link) => {
    windows.showMain();
    parley.links.open(link);
  }, lifetime);
  files.serve((path) => {
    windows.showMain();
    void parley.openTapeAt(path);
  }, lifetime);
  if (hidden) await startHidden(parley, desktop);
}

function setClosing(
  { settings, notices, lifetime }: DesktopCore,
  { windows, session }: DesktopApp,
  notifications: DesktopNotifications,
): void {
  const openClosingSetting = (): void => {
    windows.showMain();
    notices.post('placeWanted', { screen: 'settings', section: 'desktop' });
  };
  windows.setClosing({
    action: () => chooseClosingAction(settings.get().desktop.closing, session.hasTray()),
    onStayOpen: (action) => {
      const notice = action === 'hide' ? 'keptInTray' : 'noTray';
      if (settings.get().told[notice]) return;
      const markShown = (): void => {
        settings.change({ told: { [notice]: true } });
      };
      if (notice === 'noTray') {
        // Reported in the window, too, in case notifications are not available.
        notices.post('talkTrouble', appError('noTray'));
        markShown();
      }
      void notifications.show(notice, openClosingSetting, markShown);
    },
  });
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed') return;
      if (event.settings.desktop.closing !== event.before.desktop.closing) windows.postShown();
    }),
  );
  lifetime.add(
    session.onTrayChange((shown) => {
      if (shown) windows.postShown();
      else windows.onTrayGone();
    }),
  );
}

async function startHidden(
  { clock, lifetime }: DesktopCore,
  { windows, session }: DesktopApp,
): Promise<void> {
  if (!session.hasTray()) {
    await new Promise<void>((resolve) => {
      const stopWaiting = clock.after(trayWaitMs, resolve);
      const stopListening = session.onTrayChange(() => resolve());
      lifetime.add(() => {
        stopWaiting();
        stopListening();
        resolve();
      });
    });
  }
  if (!lifetime.hasEnded) windows.startHidden(session.hasTray());
}

type Core = Pick<DesktopCore, 'notices' | 'lifetime'> & {
  readonly talk: { readonly view: Pick<TalkView, 'state' | 'talk'> };
};

type BlockerKind = 'prevent-app-suspension' | 'prevent-display-sleep';

/** Prevents sleep during a talk, and keeps the screen on during a video talk. */
export function keepAwake({ notices, lifetime, talk }: Core): void {
  let blocker: { readonly id: number; readonly kind: BlockerKind } | undefined;
  const setBlocker = (kind: BlockerKind | undefined): void => {
    if (blocker?.kind === kind) return;
    if (blocker !== undefined) powerSaveBlocker.stop(blocker.id);
    blocker = kind === undefined ? undefined : { id: powerSaveBlocker.start(kind), kind };
  };
  lifetime.add(
    notices.listen(({ name }) => {
      if (name === 'talkState' || name === 'talkBegan') setBlocker(chooseBlocker(talk.view));
    }),
  );
  lifetime.add(() => setBlocker(undefined));
}

function chooseBlocker({ state, talk }: Pick<TalkView, 'state' | 'talk'>): BlockerKind | undefined {
  if (state.phase === 'idle' || state.phase === 'ended') return undefined;
  return talk?.mode === 'video' ? 'prevent-display-sleep' : 'prevent-app-suspension';
}
