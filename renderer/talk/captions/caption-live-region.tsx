import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppContext } from '../../store/use-app-context.ts';
import { OwnWordsAnnouncer } from '../own-words/own-words-announcer.ts';
import { CaptionAnnouncer } from './caption-announcer.ts';

/** A sentence at a time is polite; more would keep a reader from ever saying anything else. */
const restMs = 2500;
/** What has piled up beyond this is old, and can be read. */
const maxWaiting = 3;

/** The captions, and what was written down of the person's own words, for those who listen to them: never seen, and never faster than they can be said. */
export function CaptionLiveRegion() {
  const { t } = useTranslation();
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
    let { captions: before, ownWords: own } = store.getState();
    const ownAnnouncer = new OwnWordsAnnouncer(own.phrases);
    const leave = store.subscribe(() => {
      const { captions, ownWords } = store.getState();
      if (captions === before && ownWords === own) return;
      const text = captions === before ? undefined : announcer.next(captions);
      const phrases = ownWords === own ? [] : ownAnnouncer.next(ownWords.phrases);
      before = captions;
      own = ownWords;
      const news = [
        ...phrases.map((words) => t('talk.own.said', { words })),
        ...(text === undefined ? [] : [text]),
      ];
      if (news.length === 0) return;
      waiting = [...waiting, ...news].slice(-maxWaiting);
      if (timer === undefined) say();
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store, t]);
  return (
    <p className="only-heard" aria-live="polite" data-log="captions">
      {said}
    </p>
  );
}
