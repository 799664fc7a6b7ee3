import { englishChat, englishCursor, englishTools } from './chat.ts';
import { englishErrors } from './errors.ts';
import { englishHistory, englishCompare, englishExport, englishReplay } from './history.ts';
import { englishMemory, englishModel } from './settings-panels.ts';
import { englishPresets } from './prompts.ts';
import { englishSettings } from './settings.ts';
import {
  englishAbout,
  englishButtons,
  englishFirstRun,
  englishGuide,
  englishInspector,
  englishKeys,
  englishPalette,
  englishReport,
  englishShell,
  englishShortcuts,
  englishStartLink,
} from './shell.ts';
import { englishAroundTalk, englishMini, englishTalk } from './talk.ts';

/** All texts of the page. Other languages must have the same keys to compile. */
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
  buttons: englishButtons,
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
  model: englishModel,
  memory: englishMemory,
  cursor: englishCursor,
  tools: englishTools,
  presets: englishPresets,
  errors: englishErrors,
} as const;
