import { englishChat } from './chat.ts';
import { englishCursor } from './cursor.ts';
import { englishTools } from './tools.ts';
import { englishErrors } from './errors.ts';
import { englishHistory } from './history.ts';
import { englishMemory } from './memory.ts';
import { englishModel } from './model.ts';
import { englishPresets } from './prompts.ts';
import { englishCompare, englishExport, englishReplay } from './recordings.ts';
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
