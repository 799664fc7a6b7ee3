import { appError } from '../../shared/errors/app-error.ts';
import type { DoneEvent, OutputEvent } from '../../shared/protocol/server-event.ts';
import type { SessionEvent } from './session-event.ts';
import type { PendingQuestion } from './session-state.ts';

/** One question on the older path, and what has come of its answer. */
export class OlderChatAnswer {
  readonly question: PendingQuestion;
  readonly #turn: number;
  #text = '';
  #sounded = false;

  constructor(question: PendingQuestion, turn: number) {
    this.question = question;
    this.#turn = turn;
  }

  /** As far as it was streamed. */
  get text(): string {
    return this.#text;
  }

  /** What a piece of it comes to. */
  piece(event: OutputEvent): readonly SessionEvent[] {
    const { text = '', audio, metrics } = event;
    const turn = this.#turn;
    this.#text += text;
    this.#sounded ||= audio !== undefined;
    return [
      ...(text === '' ? [] : [{ event: 'text', turn, text } as const]),
      ...(audio === undefined ? [] : [{ event: 'audio', turn, audio } as const]),
      ...repaired(event),
      ...(metrics === undefined ? [] : [{ event: 'metrics', metrics } as const]),
    ];
  }

  /** What its end comes to. The sound that was streamed may come once more: it is played once. */
  end(event: DoneEvent): readonly SessionEvent[] {
    const { audio, metrics } = event;
    const turn = this.#turn;
    return [
      ...(audio === undefined || this.#sounded ? [] : [{ event: 'audio', turn, audio } as const]),
      ...repaired(event),
      ...(metrics === undefined ? [] : [{ event: 'metrics', metrics } as const]),
    ];
  }
}

function repaired({ repairedSamples = 0 }: OutputEvent | DoneEvent): readonly SessionEvent[] {
  return repairedSamples > 0
    ? [unreadable("The server's sound has samples that are no numbers; they are silence.")]
    : [];
}

/** Something that came and could not be taken as it was. */
export function unreadable(detail: string): SessionEvent {
  return { event: 'error', error: appError('eventUnreadable', {}, { detail }), fatal: false };
}
