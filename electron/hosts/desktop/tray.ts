import { join } from 'node:path';
import { app, Menu, nativeImage, Tray } from 'electron';
import type { MenuItemConstructorOptions, NativeImage } from 'electron';
import type { NoticeName, RequestInput, RequestName } from '../../../shared/ipc/contract.ts';
import type { Parley } from '../../compose.ts';
import { describeError } from '../../describe-error.ts';
import type { AppWindows } from '../../ports/app-windows.ts';
import { resourcesFolder } from '../../resources-folder.ts';
import { trayFace } from './tray-face.ts';
import type { TrayDeed, TrayFace, TrayItem, TraySign } from './tray-face.ts';
import { chinese, english } from './words.ts';
import type { DesktopWords } from './words.ts';

/** After each of these another icon or menu may be due. */
const telling: ReadonlySet<NoticeName> = new Set<NoticeName>([
  'talkBegan',
  'talkState',
  'talkControls',
  'talkDevices',
  'settingsChanged',
]);

/** The icon in the system's tray. Where a system has none, nothing depends on it. */
export function openTray(parley: Parley, windows: AppWindows): void {
  try {
    showTray(parley, windows);
  } catch (error) {
    parley.log.write('warn', `there is no tray here: ${describeError(error)}`);
  }
}

function showTray(parley: Parley, windows: AppWindows): void {
  const tray = new Tray(iconFor('ready'));
  const act = deedsOf(parley, windows);
  let shown = '';
  const show = (): void => {
    const face = trayFace(parley.talk.view, wordsFor(parley));
    const looks = JSON.stringify(face);
    if (looks === shown) return;
    shown = looks;
    tray.setImage(iconFor(face.sign));
    tray.setToolTip(`Parley · ${face.status}`);
    tray.setContextMenu(menuOf(face, act));
  };
  show();
  // Elsewhere a click opens the menu by itself.
  if (process.platform !== 'darwin') tray.on('click', windows.showMain);
  parley.lifetime.add(
    parley.notices.listen(({ name }) => {
      if (telling.has(name)) show();
    }),
  );
  parley.lifetime.add(() => {
    tray.destroy();
  });
}

type Act = Readonly<Record<TrayDeed, () => void | Promise<void>>>;

/** By the same requests as the pages'; what cannot be done is said in the window. */
function deedsOf(parley: Parley, windows: AppWindows): Act {
  const ask = <Name extends RequestName>(name: Name, input: RequestInput<Name>) => {
    return async (): Promise<void> => {
      const reply = await parley.answer(name, input);
      if (reply.ok) return;
      windows.showMain();
      const { message: sentence, why } = reply.error;
      parley.notices.post('talkTrouble', { sentence, code: 'refused', why });
    };
  };
  return {
    start: ask('startTalk', { mode: 'audio' }),
    goOn: ask('continueTalk', { carry: 'transcript' }),
    end: ask('endTalk', undefined),
    interrupt: ask('interruptTalk', undefined),
    mute: ask('setMuted', { muted: true }),
    unmute: ask('setMuted', { muted: false }),
    showMain: windows.showMain,
    showMini: windows.showMini,
    quit: () => {
      app.quit();
    },
  };
}

function menuOf({ status, menu }: TrayFace, act: Act): Menu {
  const item = ({ deed, label, enabled }: TrayItem): MenuItemConstructorOptions => ({
    id: deed,
    label,
    enabled,
    click: () => {
      void act[deed]();
    },
  });
  return Menu.buildFromTemplate([
    { label: status, enabled: false },
    ...menu.flatMap((group) => [{ type: 'separator' } as const, ...group.map(item)]),
  ]);
}

const platforms: ReadonlySet<string> = new Set(['darwin', 'win32']);

function iconFor(sign: TraySign): NativeImage {
  const folder = platforms.has(process.platform) ? process.platform : 'linux';
  // The larger ones beside it, `@2x` and the like, are found by their names.
  const icon = nativeImage.createFromPath(join(resourcesFolder('tray'), folder, `${sign}.png`));
  if (process.platform === 'darwin') icon.setTemplateImage(true);
  return icon;
}

function wordsFor({ settings }: Parley): DesktopWords {
  const { language } = settings.get().appearance;
  const chosen = language === 'system' ? app.getLocale() : language;
  return chosen.startsWith('zh') ? chinese : english;
}
