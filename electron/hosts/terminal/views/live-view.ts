import { harmlessLine, harmlessText } from '../../../../shared/harmless-text.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Screen, Terminal } from '../terminal-command.ts';
import {
  beginningThatFits,
  displayWidth,
  endThatFits,
  linesThatFit,
  maxGraphemeLength,
  wordGapBetween,
} from './display-width.ts';
import { createJsonView } from './json-view.ts';
import {
  createPlainChatView,
  createPlainTalkView,
  createProgressReporter,
  metricsText,
  queueText,
  TurnTexts,
} from './plain-view.ts';
import type { TerminalView, ViewEvent } from './terminal-view.ts';

/** JSON where it is asked for, a living line on a screen, plain text in a pipe. */
export function chooseView(kind: 'chat' | 'talk', terminal: Terminal, json: boolean): TerminalView {
  if (json) return createJsonView(terminal);
  const { screen } = terminal;
  if (kind === 'chat') {
    return screen === undefined
      ? createPlainChatView(terminal)
      : createLiveChatView(terminal, screen);
  }
  return screen === undefined
    ? createPlainTalkView(terminal)
    : createLiveTalkView(terminal, screen);
}

type Metrics = Extract<SessionEvent, { event: 'metrics' }>;

const phases: Readonly<Record<string, string>> = {
  connecting: 'Connecting',
  configuring: 'Setting up the session',
};

/** A talk on a screen: captions as they are heard, what is still to come dimmed. */
function createLiveTalkView({ out, err: bareErr }: Terminal, screen: Screen): TerminalView {
  const line = new LiveLine(out, screen);
  const err = settleBefore(line, bareErr);
  const progress = createProgressReporter(err);
  const turns = new TurnTexts();
  let metrics: Metrics | undefined;
  /** Nothing is being said, so that the line is free for the microphone's level. */
  let idle = false;

  const settleTurn = (text: string | undefined): void => {
    if (text === undefined) return;
    line.settle(harmlessLine(text).trim());
    const figures = metrics === undefined ? undefined : metricsText(metrics);
    if (figures !== undefined) line.settle(figures, '  ');
    metrics = undefined;
    idle = true;
  };

  const showIdle = (): void => {
    line.rewrite('', line.label === '' ? 'Listening' : 'Parley does not hear you');
  };

  return {
    show: (_at, shown) => {
      if (showWaiting(line, shown)) return;
      if (shown.event === 'state') idle = shown.state === 'live';
      if (shown.event === 'state' && shown.state === 'live') showIdle();
      if (shown.event === 'level' && idle) {
        if (line.label === '') line.rewrite('', `Listening ${levelBar(shown.rmsDb)}`);
        else showIdle();
      }
      if (shown.event === 'metrics') metrics = shown;
      if (shown.event === 'caption') {
        // Without colours the two could not be told apart.
        const coming = screen.colours ? harmlessLine(shown.upcoming) : '';
        const spoken = harmlessLine(shown.spoken);
        idle = false;
        line.rewrite(spoken, `${wordGapBetween(spoken, coming)}${coming}`);
      }
      progress(shown);
      settleTurn(turns.take(shown));
      if (shown.event === 'keys') {
        for (const each of shown.lines) line.settle(each, '');
        if (idle) showIdle();
      }
      if (shown.event === 'controls') {
        line.label = shown.paused ? 'Paused' : shown.muted ? 'Muted' : '';
        line.clear();
        if (idle) showIdle();
      }
    },
    err,
    end: () => {
      settleTurn(turns.rest());
      line.clear();
    },
  };
}

const quietestDb = -60;
const barLength = 12;

/** A bar that is full at full scale and empty where nobody speaks. */
function levelBar(rmsDb: number): string {
  const share = Math.min(1, Math.max(0, 1 - rmsDb / quietestDb));
  const full = Math.round(share * barLength);
  return `${'▮'.repeat(full)}${'▯'.repeat(barLength - full)}`;
}

/** Chat on a screen: the text as it comes, and the figures of the turn below it. */
function createLiveChatView({ out, err: bareErr }: Terminal, screen: Screen): TerminalView {
  const line = new LiveLine(out, screen);
  const err = settleBefore(line, bareErr);
  const progress = createProgressReporter(err);
  let last = '';
  let metrics: Metrics | undefined;
  const write = (text: string): void => {
    line.clear();
    out(harmlessText(text));
    last = text === '' ? last : text;
  };
  return {
    show: (_at, shown) => {
      if (showWaiting(line, shown)) return;
      if (shown.event === 'text') write(shown.text);
      if (shown.event === 'done' && last === '') write(shown.text);
      if (shown.event === 'metrics') metrics = shown;
      progress(shown);
    },
    err,
    end: () => {
      line.clear();
      if (last !== '' && !last.endsWith('\n')) out('\n');
      const figures = metrics === undefined ? undefined : metricsText(metrics);
      if (figures !== undefined) line.settle(figures, '');
    },
  };
}

/** Before the session is live there is only the one line to show; says whether that was it. */
function showWaiting(line: LiveLine, shown: ViewEvent): boolean {
  if (shown.event === 'queue') line.rewrite('', queueText(shown));
  else if (shown.event === 'state' && phases[shown.state] !== undefined) {
    line.rewrite('', phases[shown.state]);
  } else return false;
  return true;
}

/** What goes to stderr shares the screen, so that the line makes way for it. */
function settleBefore(line: LiveLine, err: Terminal['err']): Terminal['err'] {
  return (text) => {
    line.clear();
    err(text);
  };
}

const escape = '\u001b';

/** The one line at the bottom that is written anew, with settled lines going up above it. */
class LiveLine {
  readonly #out: Terminal['out'];
  readonly #screen: Screen;
  #shown = '';
  /** Stands before whatever is shown, and never makes way for it. */
  label = '';

  constructor(out: Terminal['out'], screen: Screen) {
    this.#out = out;
    this.#screen = screen;
  }

  /** Shows a text, the end of which is dim; where it is too long, its older part goes. */
  rewrite(text: string, dimmed = ''): void {
    const label = this.label === '' ? '' : `${this.label} · `;
    const room = Math.max(10, this.#room() - displayWidth(label));
    // No more of a long answer is measured than can be seen.
    const near = maxGraphemeLength * room;
    const end = text.slice(-near);
    // What was heard may take half of the line, and all that the rest does not need.
    const needs = displayWidth(end);
    const heardNeeds = Math.min(needs, Math.ceil(room / 2));
    const coming = beginningThatFits(dimmed.slice(0, near), room - heardNeeds);
    const left = room - displayWidth(coming);
    const heard = needs <= left ? end : `…${endThatFits(end, left - 1)}`;
    const line = `${label}${heard}${this.dim(coming)}`;
    if (line === this.#shown) return;
    this.#shown = line;
    this.#out(`\r${line}${escape}[K`);
  }

  /** Writes a line that stays, broken between words; one with an indent is dim. */
  settle(text: string, indent?: string): void {
    const room = this.#room() - (indent ?? '').length;
    const lines = linesThatFit(text, room).map((line) =>
      indent === undefined ? line : this.dim(`${indent}${line}`),
    );
    this.clear();
    this.#out(`${lines.join('\n')}\n`);
  }

  clear(): void {
    if (this.#shown !== '') this.#out(`\r${escape}[K`);
    this.#shown = '';
  }

  /** The last column stays free: a full line would make some screens break it. */
  #room(): number {
    return Math.max(10, this.#screen.columns() - 1);
  }

  dim(text: string): string {
    return this.#screen.colours && text !== '' ? `${escape}[2m${text}${escape}[22m` : text;
  }
}
