import { useEffect, useState } from 'react';
import { useAppContext } from '../../store/use-app-context.ts';
import { CaptionAnnouncer } from './caption-announcer.ts';

/** A sentence at a time is polite; more would keep a reader from ever saying anything else. */
const restMs = 2500;
/** What has piled up beyond this is old, and can be read. */
const maxWaiting = 3;

/** The captions for those who listen to them: never seen, and never faster than they can be said. */
export function CaptionLiveRegion() {
  const { store } = useAppContext();
  const [said, setSaid] = useState('');
  useEffect(() => {
    const announcer = new CaptionAnnouncer();
    let waiting: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      timer = undefined;
      if (waiting.length === 0) return;
      setSaid(waiting.join(' '));
      waiting = [];
      timer = setTimeout(say, restMs);
    };
    let before = store.getState().captions;
    const leave = store.subscribe(() => {
      const { captions } = store.getState();
      if (captions === before) return;
      before = captions;
      const text = announcer.next(captions);
      if (text === undefined) return;
      waiting = [...waiting, text].slice(-maxWaiting);
      if (timer === undefined) say();
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store]);
  return (
    <p className="only-heard" aria-live="polite" data-log="captions">
      {said}
    </p>
  );
}
