import { app } from 'electron';
import { languages } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import { composeGlobalKeys } from '../../core/compose-global-keys.ts';
import type { GlobalKeyBackend } from '../../ports/global-keys.ts';
import { createGlobalShortcutBackend } from './global-shortcut-backend.ts';
import { startKeyHelper } from './key-helper-process.ts';

/** Every way to hear a key while another program has the keyboard, the best one first. */
export function globalKeyBackends(): readonly GlobalKeyBackend[] {
  const { backends, canTakeKeys, clock } = composeGlobalKeys(startKeyHelper, describeTalkKey);
  return [...backends, createGlobalShortcutBackend(clock, canTakeKeys)];
}

/** In the language of the desktop, which shows it among its own words. */
async function describeTalkKey(): Promise<string> {
  const { desktop } = await languages[resolveLanguage('system', [app.getLocale()])].core();
  return desktop.shortcutName;
}
