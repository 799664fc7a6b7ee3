import type { TalkLevel } from '../../shared/talk/talk-view.ts';

/** No screen shows anything below it. */
const quietestDb = -60;

/** Levels for the screens: of silence the first only, for a picture of nothing need not be painted again. */
export function heardLevels(tell: (level: TalkLevel) => void): (level: TalkLevel) => void {
  const silent = { you: false, parley: false };
  return (level) => {
    const before = silent[level.who];
    silent[level.who] = level.rmsDb < quietestDb;
    if (!before || !silent[level.who]) tell(level);
  };
}
