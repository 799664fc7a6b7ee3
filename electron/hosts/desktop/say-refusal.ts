import { app } from 'electron';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import { languages } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import type { StartRefusal } from '../start-refusal.ts';
import { showFailure } from './show-failure.ts';

/** Says why Parley does not open. The exit code is that of a start that failed. */
export async function sayRefusal(refusal: StartRefusal): Promise<number> {
  await app.whenReady();
  const { desktop } = await languages[resolveLanguage('system', [app.getLocale()])].core();
  await showFailure(sentenceOf(refusal, desktop));
  return 1;
}

function sentenceOf(refusal: StartRefusal, desktop: CoreMessages['desktop']): string {
  if (refusal.kind === 'config') {
    return fillMessage(desktop.configUnwritable, { folder: refusal.folder });
  }
  return refusal.refused === 'root' ? desktop.sandboxNotForRoot : desktop.sandboxRefused;
}
