import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endOfSentences } from '../../../shared/sentences.ts';
import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import { useAppContext } from '../../app/use-app-context.ts';

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

/** What has been passed over for so many turns is old, and can be read. */
const maxTurnsBehind = 3;
/** About half a minute of reading aloud. */
const maxLetters = 400;

/**
 * What a screen reader is told of the captions: what has been heard, in whole sentences and each
 * once. Word by word it would never come to an end.
 */
export class CaptionAnnouncer {
  #turn = -1;
  #announced = 0;
  #heard = -1;
  #settled = false;

  /** What is to be said now, of the turn that is being heard and of those it was followed by; nothing most of the time. */
  next(turns: readonly CaptionedTurn[]): string | undefined {
    const said: string[] = [];
    for (const turn of turns.slice(-maxTurnsBehind)) {
      if (turn.turn < this.#turn) continue;
      const text = this.#nextOf(turn);
      if (text !== undefined) said.push(text);
      if (!turn.settled) break;
    }
    const text = said.join(' ');
    if (text.length <= maxLetters) return text === '' ? undefined : text;
    const newest = text.slice(-maxLetters);
    return newest.slice(newest.indexOf(' ') + 1);
  }

  #nextOf({ turn, text, heard, settled }: CaptionedTurn): string | undefined {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#announced = 0;
    } else if (heard === this.#heard && settled === this.#settled) return undefined;
    this.#heard = heard;
    this.#settled = settled;
    const fresh = text.slice(this.#announced, heard);
    const length = settled ? fresh.length : endOfSentences(fresh);
    const said = fresh.slice(0, length).trim();
    this.#announced += length;
    return said === '' ? undefined : said;
  }
}

/** Of many that come at once (a jump in a replay, all of a talk after its end) the newest; the others can be read. */
const maxAtOnce = 2;

/** What a screen reader is told of the person's own words: each once, when it has been written down. */
export class OwnWordsAnnouncer {
  #known: ReadonlySet<number>;

  /** What stands there already is no news. */
  constructor(phrases: readonly OwnPhrase[]) {
    this.#known = new Set(phrases.filter(isWritten).map(({ at }) => at));
  }

  next(phrases: readonly OwnPhrase[]): readonly string[] {
    const written = phrases.filter(isWritten);
    const fresh = written.filter(({ at }) => !this.#known.has(at));
    this.#known = new Set(written.map(({ at }) => at));
    return fresh.slice(-maxAtOnce).map(({ text }) => text);
  }
}

function isWritten({ state, text }: OwnPhrase): boolean {
  return state === 'written' && text !== '';
}
