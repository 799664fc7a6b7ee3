import { sanitizeLine, stripControlCharacters, toSafeJson } from '../../../../shared/text.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Terminal } from '../terminal-command.ts';
import { wordGapBetween } from './display-width.ts';
import { LiveLine } from './live-line.ts';
import {
  createProgressReporter,
  metricsText,
  queueText,
  onlyListensMessage,
  sessionMessage,
} from './session-texts.ts';
import type { TerminalView, ViewEvent } from './terminal-view.ts';
import { wireReason } from '../../../../shared/errors/app-error.ts';
import { usageTotals } from '../../../../shared/protocol/token-usage.ts';

/** Chooses JSON, a live line on a screen, or plain text in a pipe. */
export function chooseView(kind: 'chat' | 'talk', terminal: Terminal, json: boolean): TerminalView {
  if (json) return createJsonView(terminal);
  return kind === 'chat' ? createChatView(terminal) : createTalkView(terminal);
}

type Metrics = Extract<SessionEvent, { event: 'metrics' }>;

const phases: Readonly<Record<string, string>> = {
  connecting: 'Connecting',
  configuring: 'Setting up the session',
};

/**
 * Shows a talk with one line per turn of the text that was heard. On a screen it updates live, with upcoming
 * text dimmed.
 */
function createTalkView(terminal: Terminal): TerminalView {
  const { screen } = terminal;
  const line = new LiveLine(terminal);
  const err = clearBeforeErr(line, terminal);
  const progress = createProgressReporter(err);
  const turns = new TurnTexts();
  let metrics: Metrics | undefined;
  /** Whether no answer is shown, so that the line can show the microphone level. */
  let isIdle = false;

  const settleTurn = (text: string | undefined): void => {
    if (text === undefined) return;
    line.settle(sanitizeLine(text).trim());
    const metricsLine = metrics === undefined ? undefined : metricsText(metrics);
    if (metricsLine !== undefined) line.addNote(metricsLine, '  ');
    metrics = undefined;
    isIdle = true;
  };

  const showIdle = (): void => {
    line.rewrite('', line.label === '' ? 'Listening' : 'Parley does not hear you');
  };

  return {
    show: (_at, shown) => {
      if (screen !== undefined && showWaiting(line, shown)) return;
      if (shown.event === 'state') isIdle = shown.state === 'live';
      if (shown.event === 'state' && shown.state === 'live') showIdle();
      if (shown.event === 'level' && isIdle) {
        if (line.label === '') line.rewrite('', `Listening ${levelBar(shown.rmsDb)}`);
        else showIdle();
      }
      if (shown.event === 'metrics') metrics = shown;
      if (shown.event === 'caption') {
        // Without colours, upcoming text would look like text that was heard.
        const upcoming = screen?.colours === true ? sanitizeLine(shown.upcoming) : '';
        const spoken = sanitizeLine(shown.spoken);
        isIdle = false;
        line.rewrite(spoken, `${wordGapBetween(spoken, upcoming)}${upcoming}`);
      }
      progress(shown);
      settleTurn(turns.handle(shown));
      if (shown.event === 'keys') {
        for (const each of shown.lines) line.addNote(each);
        if (isIdle) showIdle();
      }
      if (shown.event === 'controls') {
        line.label = shown.paused ? 'Paused' : shown.muted ? 'Muted' : '';
        line.clear();
        if (isIdle) showIdle();
      }
    },
    err,
    end: () => {
      settleTurn(turns.takeText());
      line.clear();
    },
  };
}

const minDb = -60;
const barLength = 12;

/** A level bar from `minDb` to full scale. */
function levelBar(rmsDb: number): string {
  const share = Math.min(1, Math.max(0, 1 - rmsDb / minDb));
  const filled = Math.round(share * barLength);
  return `${'▮'.repeat(filled)}${'▯'.repeat(barLength - filled)}`;
}

/** Shows the answer's text as it comes, and on a screen the turn's metrics after it. */
function createChatView(terminal: Terminal): TerminalView {
  const { out, screen } = terminal;
  const line = new LiveLine(terminal);
  const err = clearBeforeErr(line, terminal);
  const progress = createProgressReporter(err);
  let lastText = '';
  let metrics: Metrics | undefined;
  const write = (text: string): void => {
    if (text === '') return;
    line.clear();
    out(stripControlCharacters(text));
    lastText = text;
  };
  return {
    show: (_at, shown) => {
      if (screen !== undefined && showWaiting(line, shown)) return;
      if (shown.event === 'text') write(shown.text);
      if (shown.event === 'done' && lastText === '') write(shown.text);
      if (shown.event === 'metrics') metrics = shown;
      progress(shown);
    },
    err,
    end: () => {
      line.clear();
      if (lastText !== '' && !lastText.endsWith('\n')) out('\n');
      const metricsLine = metrics === undefined ? undefined : metricsText(metrics);
      if (metricsLine !== undefined) line.addNote(metricsLine);
    },
  };
}

/** Shows an event of the wait for a session. Returns false for other events. */
function showWaiting(line: LiveLine, shown: ViewEvent): boolean {
  if (shown.event === 'queue') line.rewrite('', queueText(shown));
  else if (shown.event === 'state' && phases[shown.state] !== undefined) {
    line.rewrite('', phases[shown.state]);
  } else return false;
  return true;
}

/** Clears the live line before stderr output, which shares the screen. */
function clearBeforeErr(line: LiveLine, { err }: Terminal): Terminal['err'] {
  return (text) => {
    line.clear();
    err(text);
  };
}

/** Collects a turn's text and returns it once the turn has ended and was heard. */
class TurnTexts {
  #turn = 0;
  #text = '';
  #spoken = '';
  #hasEnded = false;
  #wasHeard = false;

  /** Handles an event. Returns the text of the turn that it completes, or undefined. */
  handle(shown: ViewEvent): string | undefined {
    if (shown.event === 'text') {
      const earlier = shown.turn === this.#turn ? undefined : this.takeText();
      this.#turn = shown.turn;
      this.#text += shown.text;
      this.#wasHeard = false;
      return earlier;
    }
    if (shown.event === 'listen' && shown.flushedSamples > 0) {
      this.#text = this.#spoken === '' ? '' : `${this.#spoken.trimEnd()}…`;
      return this.takeText();
    }
    if (shown.event === 'caption' && shown.turn === this.#turn) {
      this.#spoken = shown.spoken;
      this.#wasHeard = shown.upcoming === '';
    }
    if (shown.event === 'turnEnded') this.#hasEnded = true;
    return this.#hasEnded && this.#wasHeard ? this.takeText() : undefined;
  }

  /** Returns the text that was collected, and forgets it. */
  takeText(): string | undefined {
    const text = this.#text;
    this.#text = '';
    this.#spoken = '';
    this.#hasEnded = false;
    this.#wasHeard = false;
    return text === '' ? undefined : text;
  }
}

/** Prints one object per line, `{"at":ms,"event":…}`. Scripts rely on the names. */
export function createJsonView({ out, err }: Pick<Terminal, 'out' | 'err'>): TerminalView {
  return {
    show: (at, event) => {
      if (event.event === 'onlyListens') err(`${onlyListensMessage(event)}\n`);
      if (event.event === 'note') err(`${event.sentence}\n`);
      const fields = jsonFields(event);
      if (fields === undefined) return;
      const name = event.event === 'refused' ? 'error' : event.event;
      out(`${toSafeJson({ at: Math.round(at), event: name, ...fields })}\n`);
      // The fields name the cause, and the advice goes to stderr.
      if (event.event === 'closed' && !event.orderly) err(`${sessionMessage(event.error)}\n`);
    },
    err,
    end: () => undefined,
  };
}

/** The fields of an event for JSON. Undefined for events that are only for users. */
function jsonFields(shown: ViewEvent): object | undefined {
  switch (shown.event) {
    case 'dropped':
    case 'unknown':
    case 'toolCall':
    case 'note':
    case 'level':
    case 'keys':
      return undefined;
    case 'closed':
      return { reason: wireReason(shown.error), by: shown.by };
    case 'error': {
      const { error, fatal, type } = shown;
      const message = error.detail ?? sessionMessage(error);
      return { code: wireReason(error), message, fatal, type };
    }
    case 'refused':
      return { code: 'input', message: shown.sentence, fatal: false };
    case 'metrics': {
      const { values, contextTokens, usage } = shown.metrics;
      const { at: _at, event: _event, ...named } = values;
      const totals = usage && usageTotals(usage);
      return {
        ...named,
        contextTokens,
        inputTokens: totals?.input,
        outputTokens: totals?.output,
        roundTripMs: shown.roundTripMs,
      };
    }
    case 'onlyListens':
      return { spokenSeconds: shown.spokenSeconds, steps: shown.steps };
    case 'handedOver':
      return { heldMs: Math.round(shown.heldMs) };
    case 'sent': {
      const { event: _event, waitedMs: _waited, ...fields } = shown;
      return fields;
    }
    case 'controls':
    case 'state':
    case 'queue':
    case 'session':
    case 'text':
    case 'audio':
    case 'caption':
    case 'listen':
    case 'turnEnded':
    case 'done': {
      const { event: _event, ...fields } = shown;
      return fields;
    }
  }
}
