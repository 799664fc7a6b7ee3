import { join } from 'node:path';
import { nativeImage, nativeTheme } from 'electron';
import type { NativeImage } from 'electron';
import type { DesktopSettings } from '../../../shared/settings/desktop-settings.ts';
import { resourcesFolder } from '../../core/resources-folder.ts';
import type { TrayIconName } from './tray-model.ts';

type Panel = DesktopSettings['trayPanel'];

/** Inks for a light panel, for a dark one, or those that are seen on both. */
type TrayInks = 'on-light' | 'on-dark' | 'on-both';

/** macOS inks a template by itself. Of Linux's panels nobody says whether they are light or dark. */
export function trayInksOf(
  panel: Panel,
  platform: NodeJS.Platform,
  darkSystem: boolean,
): TrayInks | 'template' {
  if (platform === 'darwin') return 'template';
  if (panel !== 'system') return panel === 'dark' ? 'on-dark' : 'on-light';
  if (platform !== 'win32') return 'on-both';
  return darkSystem ? 'on-dark' : 'on-light';
}

/** The picture of a sign, for the panel that it stands on. */
export function trayIcon(sign: TrayIconName, panel: Panel): NativeImage {
  const { platform } = process;
  const inks = trayInksOf(panel, platform, nativeTheme.shouldUseDarkColorsForSystemIntegratedUI);
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const folder = inks === 'template' ? system : join(system, inks);
  // The larger ones beside it, `@2x` and the like, are found by their names.
  const icon = nativeImage.createFromPath(join(resourcesFolder('tray'), folder, `${sign}.png`));
  if (inks === 'template') icon.setTemplateImage(true);
  return icon;
}
