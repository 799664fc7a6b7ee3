import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endOfSentences } from '../../../shared/text.ts';
import type { CaptionedTurn, UserPhrase } from '../../../shared/talk/talk-view.ts';
import { useAppContext } from '../../app/app-context.ts';

/** The pause between announcements, so that a screen reader can say something else too. */
const pauseMs = 2500;
/** The oldest announcements beyond this are dropped; they stay readable on the screen. */
const maxPending = 3;

/** Announces captions and transcribed user speech to screen readers, without being visible. */
export function CaptionLiveRegion() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const announcer = new CaptionAnnouncer();
    let pending: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = (): void => {
      timer = undefined;
      if (pending.length === 0) return;
      setAnnounced(pending.join(' '));
      pending = [];
      timer = setTimeout(announce, pauseMs);
    };
    let { captions: captionsBefore, userTranscript: transcriptBefore } = store.getState();
    const userAnnouncer = new UserTranscriptAnnouncer(transcriptBefore.phrases);
    const unsubscribe = store.subscribe(() => {
      const { captions, userTranscript } = store.getState();
      if (captions === captionsBefore && userTranscript === transcriptBefore) return;
      const text = captions === captionsBefore ? undefined : announcer.next(captions);
      const phrases =
        userTranscript === transcriptBefore ? [] : userAnnouncer.next(userTranscript.phrases);
      captionsBefore = captions;
      transcriptBefore = userTranscript;
      const news = [
        ...phrases.map((words) => t('talk.own.said', { words })),
        ...(text === undefined ? [] : [text]),
      ];
      if (news.length === 0) return;
      pending = [...pending, ...news].slice(-maxPending);
      if (timer === undefined) announce();
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, t]);
  return (
    <p className="visually-hidden" aria-live="polite" data-log="captions">
      {announced}
    </p>
  );
}

/** Only this many of the newest turns are announced; the others stay readable on the screen. */
const maxTurnsBehind = 3;
/** About half a minute of reading aloud. */
const maxCharacters = 400;

/** Announces only what was heard, in whole sentences, each once. */
export class CaptionAnnouncer {
  #turn = -1;
  #announced = 0;
  #heard = -1;
  #settled = false;

  next(turns: readonly CaptionedTurn[]): string | undefined {
    const last = turns.at(-1);
    // Another talk counts its turns from one again, and a seek in a replay can go back.
    if (last === undefined || last.turn < this.#turn) this.#continueFrom(last);
    const parts: string[] = [];
    for (const turn of turns.slice(-maxTurnsBehind)) {
      if (turn.turn < this.#turn) continue;
      const text = this.newText(turn);
      if (text !== undefined) parts.push(text);
      if (!turn.settled) break;
    }
    const text = parts.join(' ');
    if (text.length <= maxCharacters) return text === '' ? undefined : text;
    const newest = text.slice(-maxCharacters);
    return newest.slice(newest.indexOf(' ') + 1);
  }

  #continueFrom(last: CaptionedTurn | undefined): void {
    this.#turn = last?.turn ?? -1;
    this.#announced = last?.heard ?? 0;
    this.#heard = last?.heard ?? -1;
    this.#settled = false;
  }

  newText({ turn, text, heard, settled }: CaptionedTurn): string | undefined {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#announced = 0;
    } else if (heard === this.#heard && settled === this.#settled) return undefined;
    this.#heard = heard;
    this.#settled = settled;
    const unannounced = text.slice(this.#announced, heard);
    const length = settled ? unannounced.length : endOfSentences(unannounced);
    const sentences = unannounced.slice(0, length).trim();
    this.#announced += length;
    return sentences === '' ? undefined : sentences;
  }
}

/** A seek, or the transcription of a whole talk, adds many phrases at once; only the newest are announced. */
const maxAtOnce = 2;

export class UserTranscriptAnnouncer {
  #known: ReadonlySet<number>;

  /** Phrases that are already on the screen are not announced. */
  constructor(phrases: readonly UserPhrase[]) {
    this.#known = new Set(phrases.filter(isWritten).map(({ at }) => at));
  }

  next(phrases: readonly UserPhrase[]): readonly string[] {
    const written = phrases.filter(isWritten);
    const added = written.filter(({ at }) => !this.#known.has(at));
    this.#known = new Set(written.map(({ at }) => at));
    return added.slice(-maxAtOnce).map(({ text }) => text);
  }
}

function isWritten({ state, text }: UserPhrase): boolean {
  return state === 'written' && text !== '';
}
