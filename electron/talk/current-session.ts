import type { ConversationDeps, ConversationOptions } from './conversation-options.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { Session } from './session/session.ts';

interface SessionSlot {
  /** Undefined while `openSession` runs; events may arrive already. */
  session: Session | undefined;
  /** Number of turns in earlier sessions; set when this session becomes the current one. */
  turnOffset: number;
  onEvent: (event: SessionEvent) => void;
}

const ignoreEvent = (): void => undefined;

/** The current session and its successor. Numbers turns across sessions and ignores events of dropped ones. */
export class CurrentSession {
  readonly #options: ConversationOptions;
  readonly #open: ConversationDeps['openSession'];
  readonly #emit: (event: SessionEvent) => void;
  readonly #tools: ConversationDeps['tools'];
  #current: SessionSlot | undefined;
  #next: SessionSlot | undefined;
  #lastTurn = 0;
  #maxSlices: number | undefined;
  #paused = false;
  /** A session of this talk said that its server takes tools. */
  #takesTools = false;

  constructor(
    options: ConversationOptions,
    open: ConversationDeps['openSession'],
    emit: (event: SessionEvent) => void,
    tools?: ConversationDeps['tools'],
  ) {
    this.#tools = tools;
    this.#options = options;
    this.#open = open;
    this.#emit = emit;
    this.#maxSlices = options.settings.maxSlices;
  }

  open(instructions: string | undefined): void {
    this.dropNext();
    this.#forget();
    const slot = this.#createSlot((event) => this.#emitRenumbered(event, slot.turnOffset));
    this.#current = slot;
    this.#start(slot, instructions);
    // An event during the start may have replaced the session.
    if (this.#current === slot && this.#paused) slot.session?.pause();
  }

  /** Opens the next session beside the current one; `onEvent` gets its events until it takes over. */
  openNext(instructions: string | undefined, onEvent: (event: SessionEvent) => void): void {
    this.dropNext();
    this.#next = this.#createSlot(onEvent);
    this.#start(this.#next, instructions);
  }

  /** Updates the next session's instructions while it still waits to be configured. */
  setNextInstructions(instructions: string | undefined): void {
    this.#next?.session?.setInstructions(instructions);
  }

  /** Makes the next session the current one, and ends the old one politely. */
  switchToNext(): void {
    const next = this.#next;
    if (next === undefined) return;
    this.#next = undefined;
    this.drop();
    next.turnOffset = this.#lastTurn;
    next.onEvent = (event) => this.#emitRenumbered(event, next.turnOffset);
    this.#current = next;
    if (this.#maxSlices !== undefined) next.session?.setMaxSlices(this.#maxSlices);
    if (this.#paused) next.session?.pause();
  }

  dropNext(): void {
    const next = this.#next;
    this.#next = undefined;
    if (next === undefined) return;
    next.onEvent = ignoreEvent;
    next.session?.end();
  }

  /** Ends the session without waiting; its remaining events are dropped. */
  drop(): void {
    const before = this.#current;
    this.#forget();
    before?.session?.end();
  }

  pushAudio(block: Float32Array): void {
    this.#current?.session?.pushAudio(block);
  }

  /** Samples missing to complete the current chunk. */
  missingSamples(): number {
    return this.#current?.session?.missingSamples() ?? 0;
  }

  pushFrame(frame: Uint8Array | undefined): void {
    this.#current?.session?.pushFrame(frame);
  }

  setMaxSlices(slices: number): void {
    this.#maxSlices = slices;
    this.#current?.session?.setMaxSlices(slices);
  }

  interrupt(): void {
    this.#current?.session?.interrupt();
  }

  answerCall(call: string, text: string): void {
    this.#current?.session?.answerCall(call, text);
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    if (paused) this.#current?.session?.pause();
    else this.#current?.session?.resume();
  }

  end(): void {
    this.dropNext();
    this.#current?.session?.end();
  }

  #createSlot(onEvent: SessionSlot['onEvent']): SessionSlot {
    return { session: undefined, turnOffset: this.#lastTurn, onEvent };
  }

  #start(slot: SessionSlot, instructions: string | undefined): void {
    // Read for each session, because the user may switch tools on or off.
    const tools = this.#tools?.();
    const settings = { ...this.#options.settings, instructions, maxSlices: this.#maxSlices, tools };
    const { mode, dialect, chunkMs, yielding } = this.#options;
    const takesTools = this.#takesTools;
    slot.session = this.#open(
      { mode, settings, dialect, chunkMs, yielding, takesTools },
      (event) => {
        if (event.event === 'session') this.#takesTools ||= event.takesTools === true;
        slot.onEvent(event);
      },
    );
  }

  #forget(): void {
    if (this.#current !== undefined) this.#current.onEvent = ignoreEvent;
    this.#current = undefined;
  }

  #emitRenumbered(event: SessionEvent, before: number): void {
    if (event.event !== 'text' && event.event !== 'audio' && event.event !== 'turnEnded') {
      return this.#emit(event);
    }
    const turn = before + event.turn;
    this.#lastTurn = Math.max(this.#lastTurn, turn);
    this.#emit({ ...event, turn });
  }
}
