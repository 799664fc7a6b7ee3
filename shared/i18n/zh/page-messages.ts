import type { PageMessages } from '../messages.ts';
import { chineseErrors } from './errors.ts';
import { chinesePresets } from './presets.ts';
import { chineseAbout } from './about.ts';
import { chineseAroundTalk } from './around-talk.ts';
import { chineseFirstRun } from './first-run.ts';
import { chineseExport } from './export.ts';
import { chineseCompare } from './compare.ts';
import { chineseGuide } from './guide.ts';
import { chineseReport } from './report.ts';
import { chineseHistory } from './history.ts';
import { chineseInspector } from './inspector.ts';
import { chineseKeys } from './keys.ts';
import { chineseSettings } from './settings.ts';
import { chineseMini } from './mini.ts';
import { chineseChat } from './chat.ts';
import { chinesePalette } from './palette.ts';
import { chineseShell } from './shell.ts';
import { chineseShortcuts } from './shortcuts.ts';
import { chineseStartLink } from './start-link.ts';
import { chineseReplay } from './replay.ts';
import { chineseTalk } from './talk.ts';

export const chinesePage: PageMessages = {
  tagline: '能说、能听、能看。',
  places: {
    name: '页面',
    talk: '通话',
    chat: '聊天',
    history: '历史',
    settings: '设置',
    replay: '回放',
  },
  shell: chineseShell,
  palette: chinesePalette,
  shortcuts: chineseShortcuts,
  mini: chineseMini,
  startLink: chineseStartLink,
  keys: chineseKeys,
  settings: chineseSettings,
  about: chineseAbout,
  talk: chineseTalk,
  aroundTalk: chineseAroundTalk,
  replay: chineseReplay,
  firstRun: chineseFirstRun,
  history: chineseHistory,
  compare: chineseCompare,
  export: chineseExport,
  guide: chineseGuide,
  report: chineseReport,
  inspector: chineseInspector,
  chat: chineseChat,
  presets: chinesePresets,
  errors: chineseErrors,
};
