import { englishAbout } from './english/about.ts';
import { englishFirstRun } from './english/first-run.ts';
import { englishInspector } from './english/inspector.ts';
import { englishErrors } from '../../shared/i18n/en/errors.ts';
import { englishKeys } from './english/keys.ts';
import { englishSettings } from './english/settings.ts';
import { englishMini } from './english/mini.ts';
import { englishChat } from './english/chat.ts';
import { englishShell } from './english/shell.ts';
import { englishShortcuts } from './english/shortcuts.ts';
import { englishTalk } from './english/talk.ts';

/** Every text of the screens. The other languages have the same keys, or they do not compile. */
export const englishMessages = {
  language: 'en',
  tagline: 'Talks, listens and sees.',
  places: { name: 'Places', talk: 'Talk', chat: 'Chat', settings: 'Settings' },
  shell: englishShell,
  shortcuts: englishShortcuts,
  mini: englishMini,
  keys: englishKeys,
  settings: englishSettings,
  about: englishAbout,
  talk: englishTalk,
  firstRun: englishFirstRun,
  inspector: englishInspector,
  errors: englishErrors,
  chat: englishChat,
} as const;
