import { DeviceLock } from '../../../../electron/audio/devices/device-lease.ts';
import type { Attachment, MediaCache } from '../../../../electron/chat/attachments.ts';
import { listMediaParts } from '../../../../electron/chat/stored-chat.ts';
import { CursorView } from '../../../../electron/cursor/cursor-view.ts';
import { Dictation } from '../../../../electron/cursor/dictation.ts';
import { QuickAsk } from '../../../../electron/cursor/quick-ask.ts';
import type { SessionEvent } from '../../../../electron/talk/session/session-event.ts';
import type { Tool } from '../../../../electron/tools/tool.ts';
import type { ChatQuestion } from '../../../../shared/protocol/realtime-api.ts';
import type { ChatPatch, AssistantTurn, ChatThread } from '../../../../shared/chat/chat-thread.ts';
import type { QuickState } from '../../../../shared/cursor/quick-view.ts';
import { type AppError, done, type Outcome } from '../../../../shared/errors/app-error.ts';
import { englishCursorPrompts, englishPhrasePrompt } from '../../../../shared/i18n/en/prompts.ts';
import type { PostNotice } from '../../../../shared/ipc/contract.ts';
import type { FoundPassage } from '../../../../shared/memory/memory-view.ts';
import type { CursorSettings } from '../../../../shared/settings/cursor-settings.ts';
import { defaultSettings, type Settings } from '../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../fakes/fake-devices.ts';
import { FakePrograms } from '../../../fakes/fake-programs.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { seeded } from '../../../fakes/seeded.ts';

const blockSamples = 320;

/** The small window with the test as server, desktop, microphone and user. */
export class CursorHarness {
  readonly clock = new FakeClock();
  readonly programs = new FakePrograms();
  readonly devices = new FakeDevices(this.clock);
  readonly lock = new DeviceLock();
  readonly questions: ChatQuestion[] = [];
  readonly patches: ChatPatch[] = [];
  readonly shown: ('focused' | 'unfocused' | 'hidden')[] = [];
  readonly adopted: {
    readonly chat: ChatThread;
    readonly media: readonly Attachment[];
    readonly again: string | undefined;
  }[] = [];
  openSessions = 0;
  /** The part of the screen that the user chooses. */
  region: Promise<Outcome<Uint8Array | undefined>> = Promise.resolve({
    ok: true,
    value: Uint8Array.of(1),
  });
  /** False once the user has moved on to another window. */
  hasFocus = true;
  settings: Settings = defaultSettings;
  readonly ask: QuickAsk;
  readonly dictation: Dictation;
  readonly #view: CursorView;
  readonly #emits: ((event: SessionEvent) => void)[] = [];

  constructor(cursor: Partial<CursorSettings> = {}) {
    this.change(cursor);
    const post: PostNotice = (name, payload) => {
      if (name === 'quickPatch') this.patches.push(payload as ChatPatch);
    };
    this.#view = new CursorView(post);
    const common = {
      clock: this.clock,
      view: this.#view,
      programs: this.programs,
      settings: { get: () => this.settings },
      openSession: (emit: (event: SessionEvent) => void) => this.#openSession(emit),
      window: {
        show: (_surface: string, focus: boolean) =>
          void this.shown.push(focus ? 'focused' : 'unfocused'),
        hide: () => void this.shown.push('hidden'),
        hasFocus: () => this.hasFocus && this.shown.at(-1) === 'focused',
      },
      post,
    };
    this.ask = new QuickAsk({
      ...common,
      wallClock: () => 1_000_000 + this.clock.now(),
      random: seeded(7),
      player: undefined,
      voice: () => undefined,
      readyVoice: () => Promise.resolve(done),
      prompts: () => Promise.resolve(englishCursorPrompts),
      tools: {
        list: () => this.tools,
        isAlwaysAllowed: () => false,
        allowAlways: () => undefined,
        describeError: ({ code }) => code,
      },
      memory: () => Promise.resolve((system) => this.memory?.(system)),
      findPast: async (_text, without) =>
        this.past.filter(
          ({ passage }) => without?.leaveOut?.some(({ id }) => id === passage.id) !== true,
        ),
      formatPast: () =>
        Promise.resolve((found) =>
          found.length === 0 ? undefined : found.map(({ text }) => text).join('\n'),
        ),
      captureScreen: () => Promise.resolve({ ok: true, value: Uint8Array.of(1, 2, 3) }),
      captureRegion: () => this.region,
      adopt: ({ conversation }, media, again) => this.#adopt(conversation, media, again),
      onClosed: () => this.dictation.onQuestionClosed(),
    });
    this.dictation = new Dictation({
      ...common,
      devices: this.devices,
      lock: this.lock,
      prompts: () =>
        Promise.resolve({ cursor: englishCursorPrompts, phrasePrompt: englishPhrasePrompt }),
    });
  }

  /** Tools that are switched on. */
  tools: readonly Tool[] = [];

  /** Passages that a question takes along. */
  past: readonly FoundPassage[] = [];

  /** Appends to the system text what is known of the user. */
  memory: ((system: string) => string) | undefined;

  get state(): QuickState {
    return this.#view.state;
  }

  get answer(): AssistantTurn {
    const turn = this.ask.snapshot().conversation.turns.at(-1);
    if (turn?.role !== 'assistant') throw new Error('The last turn is not an answer.');
    return turn;
  }

  change(cursor: Partial<CursorSettings>): void {
    this.settings = { ...this.settings, cursor: { ...this.settings.cursor, ...cursor } };
  }

  /** The input of the model: the last question's text and pictures. */
  get lastQuestion(): { readonly text: string; readonly pictures: number } {
    const content = this.questions.at(-1)?.messages.at(-1)?.content ?? '';
    if (typeof content === 'string') return { text: content, pictures: 0 };
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const pictures = content.filter(({ type }) => type === 'image').length;
    return { text: texts.join('\n\n'), pictures };
  }

  async open(draft?: string): Promise<this> {
    await this.ask.open(draft);
    return this;
  }

  /** Opens the small window and asks. */
  async asked(question = 'One?'): Promise<this> {
    await this.open();
    await this.ask.ask(question);
    return this;
  }

  /** Takes a picture, for which the window hides a moment. */
  async capture(what: 'captureScreen' | 'captureRegion'): Promise<void> {
    const captured = this.ask[what]();
    this.clock.advance(200);
    await captured;
  }

  /** Pieces of an answer, then its end. */
  async reply(...pieces: readonly string[]): Promise<void> {
    for (const text of pieces) this.#emit({ event: 'text', turn: 1, text });
    this.#emit({ event: 'done', text: pieces.join(''), reason: 'turn_end' });
    await flushPromises();
  }

  stream(text: string): void {
    this.#emit({ event: 'text', turn: 1, text });
  }

  queue(position: number): void {
    this.#emit({ event: 'queue', position, length: 3, etaSeconds: 20 });
  }

  /** Lets the session through the queue. */
  admit(): void {
    this.#emit({ event: 'state', state: 'live' });
  }

  async fail(error: AppError): Promise<void> {
    this.#emit({ event: 'closed', error, by: 'server', orderly: false });
    await flushPromises();
  }

  /** Sends sound of this length from the microphone; level 0 is silence. */
  speak(milliseconds: number, level = 0.2): void {
    for (let left = milliseconds; left > 0; left -= 20) {
      const block = new Float32Array(blockSamples);
      for (let n = 0; n < block.length; n += 1) block[n] = n % 2 === 0 ? level : -level;
      this.clock.advance(20);
      this.devices.microphones.at(-1)?.hear(block);
    }
  }

  #emit(event: SessionEvent): void {
    this.#emits.at(-1)?.(event);
  }

  #openSession(emit: (event: SessionEvent) => void) {
    this.#emits.push(emit);
    this.openSessions += 1;
    return {
      phase: 'live' as const,
      ask: (question: ChatQuestion) => void this.questions.push(question),
      end: () => {
        this.openSessions -= 1;
        const error = { code: 'answerDone', facts: {} } as const;
        emit({ event: 'closed', error, by: 'client', orderly: true });
      },
    };
  }

  #adopt(chat: ChatThread, cache: MediaCache, again: string | undefined): Promise<void> {
    const media = listMediaParts(chat).flatMap(({ media: id }) => cache.get(id) ?? []);
    this.adopted.push({ chat, media, again });
    return Promise.resolve();
  }
}
