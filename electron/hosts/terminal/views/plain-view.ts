import { harmlessLine, harmlessText } from '../../../../shared/harmless-text.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import { onlyListensMessage, sessionMessage } from './session-message.ts';
import type { Terminal } from '../terminal-command.ts';
import type { ViewEvent, TerminalView } from './terminal-view.ts';
import { queueText } from './metrics-text.ts';

/** Waiting, troubles and ends, said on stderr; the same for every way of showing the answer. */
export function createProgressReporter(err: Terminal['err']): (event: ViewEvent) => void {
  let said = '';
  const saidOnce = new Set<string>();
  let controls: Controls = { muted: false, paused: false };
  const say = (sentence: string): void => {
    if (sentence === said) return;
    said = sentence;
    err(`${sentence}\n`);
  };
  return (shown) => {
    if (shown.event === 'note') say(shown.sentence);
    if (shown.event === 'controls') {
      const sentence = controlsSentence(controls, shown);
      if (sentence !== undefined) say(sentence);
      controls = shown;
    }
    if (shown.event === 'handedOver') {
      const waited = Math.round(shown.heldMs);
      say(`The next session goes on from here; for ${waited} ms nothing was sent.`);
    }
    if (shown.event === 'onlyListens') say(onlyListensMessage(shown));
    if (shown.event === 'queue') say(`${queueText(shown)}.`);
    if (shown.event === 'error' && !shown.fatal) {
      const report = harmlessLine(reportOf(shown.error));
      // A server that is broken is so with every frame; the first one says it all.
      if (shown.error.code !== 'eventUnreadable' || !saidOnce.has(report)) say(report);
      saidOnce.add(report);
    }
    if (shown.event === 'dropped') {
      say(`The server does not keep up; ${shown.samples} samples were left out.`);
    }
    if (shown.event === 'closed' && !shown.orderly) say(sessionMessage(shown.error));
    else if (shown.event === 'closed' && shown.by !== 'client') say(sessionMessage(shown.error));
  };
}

type Controls = Pick<Extract<ViewEvent, { event: 'controls' }>, 'muted' | 'paused'>;

/** What has changed, and what is as it was besides where that matters. */
function controlsSentence(before: Controls, { muted, paused }: Controls): string | undefined {
  if (paused !== before.paused) {
    if (paused) return 'Paused: nothing is sent.';
    return muted ? 'The talk goes on, and you are muted.' : 'The talk goes on.';
  }
  if (muted === before.muted) return undefined;
  return muted ? 'You are muted: Parley hears silence.' : 'You are no longer muted.';
}

/** What cannot be read is for whoever mends the server, and told as it was found. */
function reportOf(error: AppError): string {
  const told = error.code === 'eventUnreadable' ? error.detail : undefined;
  return told ?? englishErrorMessage(error);
}

/** Chat for pipes: nothing but the answer's text. */
export function createPlainChatView({ out, err }: Terminal): TerminalView {
  const progress = createProgressReporter(err);
  let last = '';
  const write = (text: string): void => {
    if (text === '') return;
    out(harmlessText(text));
    last = text;
  };
  return {
    show: (_at, shown) => {
      progress(shown);
      if (shown.event === 'text') write(shown.text);
      if (shown.event === 'done' && last === '') write(shown.text);
    },
    err,
    end: () => {
      if (last !== '' && !last.endsWith('\n')) out('\n');
    },
  };
}

/** A talk for pipes: one line a turn, of what was heard of it. */
export function createPlainTalkView({ out, err }: Terminal): TerminalView {
  const progress = createProgressReporter(err);
  const turns = new TurnTexts();
  const writeLine = (text: string | undefined): void => {
    if (text !== undefined) out(`${harmlessLine(text).trim()}\n`);
  };
  return {
    show: (_at, shown) => {
      progress(shown);
      writeLine(turns.take(shown));
    },
    err,
    end: () => {
      writeLine(turns.rest());
    },
  };
}

/** Gathers a turn's text and gives it back once, when the turn is over and has been heard. */
export class TurnTexts {
  #turn = 0;
  #text = '';
  #spoken = '';
  #ended = false;
  #heard = false;

  /** The text of the turn that this event brings to its end, or nothing. */
  take(shown: ViewEvent): string | undefined {
    if (shown.event === 'text') {
      const before = shown.turn === this.#turn ? undefined : this.rest();
      this.#turn = shown.turn;
      this.#text += shown.text;
      this.#heard = false;
      return before;
    }
    if (shown.event === 'listen' && shown.flushedSamples > 0) {
      this.#text = this.#spoken === '' ? '' : `${this.#spoken.trimEnd()}…`;
      return this.rest();
    }
    if (shown.event === 'caption' && shown.turn === this.#turn) {
      this.#spoken = shown.spoken;
      this.#heard = shown.upcoming === '';
    }
    if (shown.event === 'turnEnded') this.#ended = true;
    return this.#ended && this.#heard ? this.rest() : undefined;
  }

  rest(): string | undefined {
    const text = this.#text;
    this.#text = '';
    this.#spoken = '';
    this.#ended = false;
    this.#heard = false;
    return text === '' ? undefined : text;
  }
}
