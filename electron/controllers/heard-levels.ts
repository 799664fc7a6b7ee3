import { silentLevelDb } from '../../shared/talk/talk-view.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';

/** Half a second: by then nothing is left of what was heard before it. */
const firstOfSilence = 10;

/** Levels for the screens: of silence the first only, for a picture of nothing need not be painted again. */
export function heardLevels(tell: (level: TalkLevel) => void): (level: TalkLevel) => void {
  const silent = { you: 0, parley: 0 };
  return (level) => {
    silent[level.who] = level.rmsDb < silentLevelDb ? silent[level.who] + 1 : 0;
    if (silent[level.who] <= firstOfSilence) tell(level);
  };
}
