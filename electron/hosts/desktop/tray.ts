import { join } from 'node:path';
import { app, Menu, nativeImage, Tray } from 'electron';
import type { MenuItemConstructorOptions, NativeImage } from 'electron';
import { languages } from '../../../shared/i18n/languages.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import type { NoticeName, RequestInput, RequestName } from '../../../shared/ipc/contract.ts';
import type { Parley } from '../../core/compose-parley.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { AppWindows } from '../../ports/app-windows.ts';
import { resourcesFolder } from '../../core/resources-folder.ts';
import { trayModel } from './tray-model.ts';
import type { TrayAction, TrayModel, TrayItem, TrayIconName } from './tray-model.ts';

/** After each of these another icon or menu may be due. */
const refreshingNotices: ReadonlySet<NoticeName> = new Set<NoticeName>([
  'talkBegan',
  'talkState',
  'talkControls',
  'talkDevices',
  'settingsChanged',
]);

type Core = Pick<Parley, 'answer' | 'notices' | 'lifetime' | 'log'> & {
  readonly talk: Pick<Parley['talk'], 'view'>;
  readonly settings: {
    readonly get: () => { readonly appearance: Pick<Settings['appearance'], 'language'> };
  };
};

/** The icon in the system's tray. Where a system has none, nothing depends on it. */
export function openTray(parley: Core, windows: AppWindows): void {
  try {
    showTray(parley, windows);
  } catch (error) {
    logMissing(parley, error);
  }
}

function logMissing({ log }: Core, error: unknown): void {
  log.write('warn', `there is no tray here: ${describeError(error)}`);
}

function showTray(parley: Core, windows: AppWindows): void {
  const tray = new Tray(iconFor('ready'));
  const act = actionsOf(parley, windows);
  let shown = '';
  const show = async (): Promise<void> => {
    const language = languageOf(parley);
    const { desktop } = await languages[language].core();
    // Meanwhile it may have become another one, which is shown by its own notice.
    if (parley.lifetime.hasEnded || language !== languageOf(parley)) return;
    const model = trayModel(parley.talk.view, desktop);
    const serialized = JSON.stringify(model);
    if (serialized === shown) return;
    shown = serialized;
    tray.setImage(iconFor(model.icon));
    tray.setToolTip(`Parley · ${model.status}`);
    tray.setContextMenu(menuOf(model, act));
  };
  const refresh = (): void => {
    show().catch((error: unknown) => {
      logMissing(parley, error);
    });
  };
  refresh();
  // Elsewhere a click opens the menu by itself.
  if (process.platform !== 'darwin') tray.on('click', windows.showMain);
  parley.lifetime.add(
    parley.notices.listen(({ name }) => {
      if (refreshingNotices.has(name)) refresh();
    }),
  );
  parley.lifetime.add(() => {
    tray.destroy();
  });
}

type TrayActions = Readonly<Record<TrayAction, () => void | Promise<void>>>;

/** By the same requests as the pages'; what cannot be done is said in the window. */
function actionsOf(parley: Core, windows: AppWindows): TrayActions {
  const ask = <Name extends RequestName>(name: Name, input: RequestInput<Name>) => {
    return async (): Promise<void> => {
      const reply = await parley.answer(name, input);
      if (reply.ok) return;
      windows.showMain();
      parley.notices.post('talkTrouble', reply.error);
    };
  };
  return {
    start: ask('startTalk', { mode: 'audio' }),
    continue: ask('continueTalk', { carry: 'transcript' }),
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

function menuOf({ status, menu }: TrayModel, act: TrayActions): Menu {
  const item = ({ action, label, enabled }: TrayItem): MenuItemConstructorOptions => ({
    id: action,
    label,
    enabled,
    click: () => {
      void act[action]();
    },
  });
  return Menu.buildFromTemplate([
    { label: status, enabled: false },
    ...menu.flatMap((group) => [{ type: 'separator' } as const, ...group.map(item)]),
  ]);
}

const platforms: ReadonlySet<string> = new Set(['darwin', 'win32']);

function iconFor(sign: TrayIconName): NativeImage {
  const folder = platforms.has(process.platform) ? process.platform : 'linux';
  // The larger ones beside it, `@2x` and the like, are found by their names.
  const icon = nativeImage.createFromPath(join(resourcesFolder('tray'), folder, `${sign}.png`));
  if (process.platform === 'darwin') icon.setTemplateImage(true);
  return icon;
}

function languageOf({ settings }: Core): Language {
  return resolveLanguage(settings.get().appearance.language, [app.getLocale()]);
}
