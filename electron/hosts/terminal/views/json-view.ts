import { wireReason } from '../../../../shared/errors/session-reasons.ts';
import { toSafeJson } from '../../../../shared/sanitize-text.ts';
import { usageTotals } from '../../../../shared/protocol/token-usage.ts';
import type { Terminal } from '../terminal-command.ts';
import { onlyListensMessage, sessionMessage } from './session-texts.ts';
import type { TerminalView, ViewEvent } from './terminal-view.ts';

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
      const { figures, contextTokens, usage } = shown.metrics;
      const { at: _at, event: _event, ...named } = figures;
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
