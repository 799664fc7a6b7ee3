import { useEffect, useState } from 'react';
import { useDesk } from '../store/use-desk.ts';
import { Announcer } from './announcer.ts';

/** A sentence at a time is polite; more would keep a reader from ever saying anything else. */
const restMs = 2500;
/** What has piled up beyond this is old, and can be read. */
const mostWaiting = 3;

/** The captions for those who listen to them: never seen, and never faster than they can be said. */
export function CaptionLog() {
  const { store } = useDesk();
  const [said, setSaid] = useState('');
  useEffect(() => {
    const announcer = new Announcer();
    let waiting: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      timer = undefined;
      if (waiting.length === 0) return;
      setSaid(waiting.join(' '));
      waiting = [];
      timer = setTimeout(say, restMs);
    };
    let before = store.view().captions;
    const leave = store.subscribe(() => {
      const { captions } = store.view();
      if (captions === before) return;
      before = captions;
      const turn = captions.at(-1);
      const text = turn === undefined ? undefined : announcer.hear(turn);
      if (text === undefined) return;
      waiting = [...waiting, text].slice(-mostWaiting);
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
