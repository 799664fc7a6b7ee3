import {
  type AppError,
  isCertificateFault,
  rootError,
} from '../../../../shared/errors/app-error.ts';
import { sanitizeLine } from '../../../../shared/text.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { contextTokens } from '../../../../shared/protocol/realtime-api.ts';
import { availableAnswerSettings } from '../../../../shared/talk/talk-stats.ts';
import type { ConversationEvent } from '../../../talk/conversation-options.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Terminal } from '../terminal-command.ts';
import type { ViewEvent } from './terminal-view.ts';

/** Reports waits, problems and endings on stderr, for the views that users read. */
export function createProgressReporter(err: Terminal['err']): (event: ViewEvent) => void {
  let lastSentence = '';
  const reported = new Set<string>();
  let controls: Controls = { muted: false, paused: false };
  const say = (sentence: string): void => {
    if (sentence === lastSentence) return;
    lastSentence = sentence;
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
      say(`The talk continues in a new session; for ${waited} ms nothing was sent.`);
    }
    if (shown.event === 'onlyListens') say(onlyListensMessage(shown));
    if (shown.event === 'queue') say(`${queueText(shown)}.`);
    if (shown.event === 'error' && !shown.fatal) {
      const report = sanitizeLine(errorReport(shown.error));
      // A broken server sends many unreadable frames. One report of them is enough.
      if (shown.error.code !== 'eventUnreadable' || !reported.has(report)) say(report);
      reported.add(report);
    }
    if (shown.event === 'dropped' && shown.reason === 'slow') {
      say(`The server cannot keep up; ${shown.samples} samples were skipped.`);
    }
    if (shown.event === 'closed' && (!shown.orderly || shown.by !== 'client'))
      say(sessionMessage(shown.error));
  };
}

type Controls = Pick<Extract<ViewEvent, { event: 'controls' }>, 'muted' | 'paused'>;

function controlsSentence(before: Controls, { muted, paused }: Controls): string | undefined {
  if (paused !== before.paused) {
    if (paused) return 'Paused: nothing is sent.';
    return muted ? 'The talk continues, and you are muted.' : 'The talk continues.';
  }
  if (muted === before.muted) return undefined;
  return muted ? 'You are muted: Parley hears silence.' : 'You are no longer muted.';
}

/** Describes an error. For an unreadable event it gives the technical detail, for the server's developers. */
function errorReport(error: AppError): string {
  const detail = error.code === 'eventUnreadable' ? error.detail : undefined;
  return detail ?? englishErrorMessage(error);
}

/** Describes a session error, with advice on the command's options. */
export function sessionMessage(error: AppError): string {
  const message = englishErrorMessage(error);
  if (!isCertificateFault(rootError(error).code)) return message;
  return `${message} Trust it with --fingerprint, or accept any certificate with --insecure.`;
}

const answerOptions = {
  listenProbScale: 'a lower --config listen_prob_scale=0.8',
  lengthPenalty: 'a higher --length-penalty 1.3',
} as const;

/** Tells that the server only listens, and what may help. */
export function onlyListensMessage({
  dialect,
  spokenSeconds,
}: Extract<ConversationEvent, { event: 'onlyListens' }>): string {
  const options = availableAnswerSettings(dialect).map((setting) => answerOptions[setting]);
  const help = ['a louder microphone', ...options, 'another server'].join(', ');
  return `The server has heard ${spokenSeconds} s of speech and only listens. What may help: ${help}.`;
}

type Queue = Extract<SessionEvent, { event: 'queue' }>;
type Metrics = Extract<SessionEvent, { event: 'metrics' }>;

/** The queue position, as far as the server reports it. */
export function queueText({ position, length, etaSeconds }: Queue): string {
  const total = length === undefined ? '' : ` of ${length}`;
  const place = position === undefined ? '' : `: place ${position}${total}`;
  const wait = etaSeconds === undefined ? '' : `, ${aboutSeconds(etaSeconds)}`;
  return `Waiting in the queue${place}${wait}`;
}

function aboutSeconds(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  return `about ${Math.round(seconds / 60)} min`;
}

/** Formats the metrics as one line, or undefined if there are none. */
export function metricsText({ metrics, roundTripMs }: Metrics): string | undefined {
  const parts = [
    roundTripMs === undefined ? undefined : `round trip ${milliseconds(roundTripMs)}`,
    formatMetric('prefill', metrics.values['prefill_ms']),
    formatMetric('generate', metrics.values['generate_ms']),
    formatMetric('server', metrics.values['wall_clock_ms']),
    metrics.contextTokens === undefined
      ? undefined
      : `context ${Math.round(metrics.contextTokens)} of ${contextTokens} tokens`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function formatMetric(name: string, value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${milliseconds(value)}`;
}

function milliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}
