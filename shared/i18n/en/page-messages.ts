import { englishErrors } from './errors.ts';
import { englishPresets } from './presets.ts';
import { englishAbout } from './about.ts';
import { englishAroundTalk } from './around-talk.ts';
import { englishFirstRun } from './first-run.ts';
import { englishExport } from './export.ts';
import { englishCompare } from './compare.ts';
import { englishGuide } from './guide.ts';
import { englishReport } from './report.ts';
import { englishHistory } from './history.ts';
import { englishInspector } from './inspector.ts';
import { englishKeys } from './keys.ts';
import { englishSettings } from './settings.ts';
import { englishMini } from './mini.ts';
import { englishChat } from './chat.ts';
import { englishPalette } from './palette.ts';
import { englishShell } from './shell.ts';
import { englishShortcuts } from './shortcuts.ts';
import { englishStartLink } from './start-link.ts';
import { englishReplay } from './replay.ts';
import { englishTalk } from './talk.ts';

/** Every text of the page. The other languages have the same keys, or they do not compile. */
export const englishPage = {
  tagline: 'Talks, listens and sees.',
  places: {
    name: 'Places',
    talk: 'Talk',
    chat: 'Chat',
    history: 'History',
    settings: 'Settings',
    replay: 'Replay',
  },
  shell: englishShell,
  palette: englishPalette,
  shortcuts: englishShortcuts,
  mini: englishMini,
  startLink: englishStartLink,
  keys: englishKeys,
  settings: englishSettings,
  about: englishAbout,
  talk: englishTalk,
  aroundTalk: englishAroundTalk,
  replay: englishReplay,
  firstRun: englishFirstRun,
  history: englishHistory,
  compare: englishCompare,
  export: englishExport,
  guide: englishGuide,
  report: englishReport,
  inspector: englishInspector,
  chat: englishChat,
  presets: englishPresets,
  errors: englishErrors,
} as const;
