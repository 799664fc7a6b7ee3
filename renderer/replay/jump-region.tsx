import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppContext } from '../store/use-app-context.ts';
import { cursorText } from './timeline/timeline-cursor.ts';
import { placeText } from './timeline/timeline-places.ts';
import { openReplayOf } from './use-open-replay.ts';

/** Whoever drags or holds a key hears where they came to, and not every place on the way. */
const restMs = 300;
/** A step stands on what it goes to. */
const onMarkMs = 120;

/** Where the cursor has jumped to, for those who cannot see it. */
export function JumpRegion() {
  const { t } = useTranslation();
  const { store, listen } = useAppContext();
  const [said, setSaid] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      const open = openReplayOf(store.getState());
      if (open === undefined) return;
      const { play, timeline } = open;
      const place = placeText(t, timeline, play.at, onMarkMs);
      const time = cursorText(t, play.at, timeline.lengthMs);
      setSaid(place === undefined ? time : t('replay.cameTo', { place, time }));
    };
    const leave = listen(({ name }) => {
      if (name !== 'replayScene') return;
      clearTimeout(timer);
      timer = setTimeout(say, restMs);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store, listen, t]);
  return (
    <p className="only-heard" aria-live="polite">
      {said}
    </p>
  );
}
