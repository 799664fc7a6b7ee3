import { maxClipSeconds } from '../../shared/chat/chat-thread.ts';
import {
  type DictationState,
  type DictationView,
  idleDictation,
} from '../../shared/cursor/quick-view.ts';
import { type AppError, done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import { type CoreMessages, fillMessage } from '../../shared/i18n/messages.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { noPage } from '../../shared/ipc/page.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type {
  CursorWindow,
  ForeignWindow,
  OtherPrograms,
} from '../../shared/ports/other-programs.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { CursorSettings } from '../../shared/settings/cursor-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { TalkKeyEvent } from '../../shared/talk/global-key.ts';
import type { Microphone } from '../audio/capture/microphone.ts';
import { DeviceLease, type DeviceLock } from '../audio/devices/device-lease.ts';
import type { TestDevices } from '../audio/devices/sound-devices.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import { PhraseCutter } from '../talk/user-transcript/phrase-cutter.ts';
import { actionPrompt, insertableText, quoteCopiedText } from './cursor-texts.ts';
import type { CursorView } from './cursor-view.ts';
import { ServerRetry } from './server-retry.ts';
import { DictationWriter } from './dictation-writer.ts';

/** Where the words go: to the other program, or into the field of the small window. */
export type DictationDestination = 'program' | 'question';

interface Deps {
  readonly view: CursorView;
  readonly window: Pick<CursorWindow, 'show' | 'hide'>;
  readonly programs: Pick<OtherPrograms, 'active' | 'insert'>;
  readonly devices: Pick<TestDevices, 'openMicrophone'>;
  readonly lock: DeviceLock;
  readonly settings: { readonly get: () => Settings };
  readonly prompts: () => Promise<Pick<CoreMessages, 'cursor' | 'phrasePrompt'>>;
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
  readonly clock: Clock;
  readonly post: PostNotice;
}

/** `hold`: the user holds the key while speaking. `tap`: the user presses it before speaking and again afterwards. */
type Activation = 'hold' | 'tap';

type OpenMicrophone = Pick<Microphone, 'end'>;

interface Run {
  readonly to: DictationDestination;
  startedAt: number;
  target: ForeignWindow | undefined;
  prompts: CoreMessages['cursor'] | undefined;
  activation: Activation;
  hasFinishedSpeaking: boolean;
  /** Whether the action of the dictation's mode has been requested to rewrite the words. */
  hasAskedRewrite: boolean;
  isInserting: boolean;
}

/** A press that is shorter counts as a tap: the microphone stays open until the next press. */
const tapMs = 300;
/**
 * Silence added after the last word: 400 ms, in which the voice detector goes on reporting a voice. The phrase cutter counts
 * this time as voice, and without it would take a short last word for a knock.
 */
const tailSamples = inputRate * 0.4;
/** How long the window shows that nothing was heard, before it closes. */
const noteMs = 2500;

/**
 * Writes down what the user says, and puts it into the other program or the small window. Stores neither the sound nor the words.
 */
export class Dictation {
  readonly #deps: Deps;
  readonly #lease: DeviceLease<OpenMicrophone>;
  readonly #writer: DictationWriter;
  readonly #cutter: PhraseCutter;
  readonly #wait: ServerRetry;
  /** Ends a dictation that lasts too long. Later it closes the window that says that nothing was heard. */
  readonly #timer: Timer;
  #run: Run | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
    this.#lease = new DeviceLease<OpenMicrophone>({
      lock: deps.lock,
      close: (microphone) => microphone.end(),
      onPreempted: () => void this.end(),
    });
    this.#writer = new DictationWriter({
      openSession: deps.openSession,
      clock: deps.clock,
      onPlace: (place) => this.#showQueuePosition(place),
      onText: (text) => this.#show({ text }),
      onWritten: (text) => void this.#written(text),
      onFailed: (error) => this.#failed(error),
    });
    this.#wait = new ServerRetry({
      clock: deps.clock,
      onRetry: () => void this.end(),
      onChanged: (wait) => this.#show({ wait }),
    });
    this.#cutter = new PhraseCutter(({ samples }) => this.#writer.add(samples));
  }

  /** The dictation key: hold it, or tap it twice. */
  handleKey(event: TalkKeyEvent, to: DictationDestination): void {
    const run = this.#run;
    const isSpeaking = run !== undefined && !run.hasFinishedSpeaking;
    if (event === 'press' || event === 'toggle') {
      const activation = event === 'press' ? 'hold' : 'tap';
      if (isSpeaking) void this.end();
      else if (run !== undefined && this.#keepsWords) {
        // The words wait for an action to rewrite them, so new ones cannot follow.
        if (run.hasAskedRewrite) void this.end();
        else void this.#goOn(run, activation);
      } else if (!this.#isWriting) void this.begin(to, activation);
      return;
    }
    if (!isSpeaking || run.activation === 'tap') return;
    const isTap = event === 'release' && this.#deps.clock.now() - run.startedAt < tapMs;
    if (!isTap) void this.end();
    else {
      run.activation = 'tap';
      if (this.#state.kind === 'listening')
        this.#show({ state: { kind: 'listening', activation: 'tap' } });
    }
  }

  async begin(
    to: DictationDestination,
    activation: Activation,
    earlierTarget?: ForeignWindow,
  ): Promise<Outcome<undefined>> {
    const { clock, view, window, programs, settings, prompts } = this.#deps;
    this.#forget();
    const run: Run = {
      to,
      activation,
      startedAt: clock.now(),
      target: undefined,
      prompts: undefined,
      hasFinishedSpeaking: false,
      hasAskedRewrite: false,
      isInserting: false,
    };
    this.#run = run;
    const surface = to === 'program' ? 'dictate' : view.state.surface;
    view.change({ surface, dictation: { ...idleDictation, state: { kind: 'opening' } } });
    // The user speaks already, so the microphone opens before the texts are read.
    const opening = this.#lease.begin(noPage, () => this.#openMicrophone());
    const [texts, active] = await Promise.all([
      prompts(),
      to === 'program' ? programs.active() : undefined,
    ]);
    if (this.#run !== run) return failure('notRecording');
    // While the small window itself has the focus, the earlier target stays.
    run.target = active ?? earlierTarget;
    run.prompts = texts.cursor;
    if (to === 'program') window.show('dictate', false);
    this.#writer.begin(dictationPrompt(texts, settings.get().cursor));
    return this.#listen(run, await opening, true);
  }

  /** The user speaks again while the server still writes or after it failed: the new words follow the others. */
  async #goOn(run: Run, activation: Activation): Promise<void> {
    run.activation = activation;
    run.startedAt = this.#deps.clock.now();
    run.hasFinishedSpeaking = false;
    this.#wait.end();
    this.#writer.expectMore();
    this.#show({ state: { kind: 'opening' } });
    await this.#listen(run, await this.#lease.begin(noPage, () => this.#openMicrophone()));
  }

  async #listen(
    run: Run,
    opened: Outcome<undefined>,
    unheard = false,
  ): Promise<Outcome<undefined>> {
    if (this.#run !== run) return failure('notRecording');
    if (!opened.ok) {
      run.hasFinishedSpeaking = true;
      this.#show({ state: { kind: 'failed', error: opened.error, unheard } });
      return opened;
    }
    if (run.hasFinishedSpeaking) await this.#closeMicrophone(run);
    else {
      this.#show({ state: { kind: 'listening', activation: run.activation } });
      this.#timer.set(maxClipSeconds * 1000, () => void this.end());
    }
    return done;
  }

  /** Closes the microphone; after a failure, sends the phrases again, or opens the microphone if it could not be opened. */
  readonly end = async (): Promise<void> => {
    const run = this.#run;
    if (run === undefined) return;
    if (run.hasFinishedSpeaking) {
      if (this.#state.kind !== 'failed') return;
      if (this.#state.unheard === true) {
        await this.begin(run.to, 'tap', run.target);
        return;
      }
      this.#show({ state: { kind: 'writing' } });
      this.#writer.complete();
      return;
    }
    run.hasFinishedSpeaking = true;
    if (this.#state.kind === 'listening') await this.#closeMicrophone(run);
  };

  readonly waitForServer = (wait: boolean): void => {
    if (wait) this.#wait.begin();
    else this.#wait.end();
  };

  readonly cancel = async (): Promise<void> => {
    this.#forget();
    await this.#lease.cancel();
    // The next dictation may have begun while the microphone closed.
    if (this.#run === undefined) this.#close();
  };

  /**
   * Cancels a dictation into the question that has closed. A dictation into the program shows its window again, unless the
   * question has replaced the dictation's result.
   */
  readonly onQuestionClosed = (): void => {
    if (this.#run?.to !== 'program' || this.#state.kind === 'idle') {
      void this.cancel();
      return;
    }
    this.#deps.view.change({ surface: 'dictate' });
    this.#deps.window.show('dictate', false);
  };

  readonly close = async (): Promise<void> => {
    this.#forget();
    await Promise.all([this.#lease.cancel(), this.#writer.end()]);
  };

  /** Whether words are being written down, which a new dictation would lose. */
  get #isWriting(): boolean {
    if (this.#run?.isInserting === true) return false;
    return this.#state.kind === 'writing' || this.#state.kind === 'finishing';
  }

  /** Whether phrases wait until the server writes them, to which a further press adds. */
  get #keepsWords(): boolean {
    const state = this.#state;
    return state.kind === 'writing' || (state.kind === 'failed' && state.unheard !== true);
  }

  get #state(): DictationState {
    return this.#deps.view.state.dictation.state;
  }

  async #openMicrophone(): Promise<Outcome<OpenMicrophone>> {
    const { devices, settings, clock, post } = this.#deps;
    const { microphone } = settings.get().audio;
    const sink = {
      pushAudio: (block: Float32Array): void => this.#cutter.push(block, clock.now(), true),
    };
    const opened = await devices.openMicrophone(microphone, sink, {
      gain: () => settings.get().audio.inputVolume,
      onLevel: ({ rmsDb }) => post('dictationLevel', { rmsDb }),
      emit: (event) => {
        if (event.kind !== 'lost') return;
        if (this.#run !== undefined) this.#run.hasFinishedSpeaking = true;
        this.#timer.stop();
        this.#finishPhrase();
        this.#show({ state: { kind: 'failed', error: event.error } });
        void this.#lease.cancel();
      },
    });
    return { ok: true, value: opened };
  }

  async #closeMicrophone(run: Run): Promise<void> {
    this.#timer.stop();
    this.#show({ state: { kind: 'writing' } });
    await this.#lease.finish((microphone) => microphone.end());
    this.#finishPhrase();
    if (run.hasFinishedSpeaking) this.#writer.complete();
  }

  #finishPhrase(): void {
    this.#cutter.push(new Float32Array(tailSamples), this.#deps.clock.now(), true);
    this.#cutter.finish();
  }

  /** Shows a failure only after the user has finished speaking, because the end of the dictation sends the phrases again. */
  #failed(error: AppError): void {
    if (this.#run?.hasFinishedSpeaking !== true) return;
    this.#show({ state: { kind: 'failed', error } });
    this.#wait.handleResult(error);
  }

  async #written(words: string): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    this.#wait.handleResult();
    const text = insertableText(words);
    if (text === '') {
      this.#show({ state: { kind: 'nothingHeard' }, text: '' });
      this.#timer.set(noteMs, () => void this.cancel());
      return;
    }
    const rewrite =
      run.hasAskedRewrite || run.to === 'question' ? undefined : this.#rewriteQuestion(text, run);
    this.#show({ state: { kind: 'finishing' }, text });
    if (rewrite !== undefined) {
      run.hasAskedRewrite = true;
      this.#writer.rewrite(rewrite);
    } else if (run.to === 'question') {
      this.#run = undefined;
      this.#show({ state: { kind: 'done' } });
    } else await this.#insert(text, run);
  }

  async #insert(text: string, run: Run): Promise<void> {
    run.isInserting = true;
    const inserted = await this.#deps.programs.insert(text, run.target);
    if (this.#run !== run) return;
    this.#run = undefined;
    if (inserted.ok) this.#close();
    else {
      this.#show({ state: { kind: 'copiedInstead', error: inserted.error } });
      // The window may have been hidden when the program got the focus.
      this.#deps.window.show('dictate', false);
    }
  }

  /** The question that rewrites the words with the action of the dictation's mode; undefined if the mode has none. */
  #rewriteQuestion(
    text: string,
    { prompts }: Run,
  ): Parameters<DictationWriter['rewrite']>[0] | undefined {
    const { cursor } = this.#deps.settings.get();
    const action = cursor.actions.find(({ id }) => id === cursor.dictation.mode);
    if (action === undefined || prompts === undefined) return undefined;
    const quoted = quoteCopiedText(prompts.dictation.dictated, { text, cut: false }, '');
    const request = actionPrompt(action, prompts, cursor);
    return {
      messages: [
        { role: 'system', content: prompts.system },
        { role: 'user', content: `${quoted}\n\n${request}` },
      ],
      streaming: true,
    };
  }

  #forget(): void {
    this.#run = undefined;
    this.#timer.stop();
    this.#wait.end();
    this.#cutter.finish();
    this.#writer.cancel();
  }

  /** Closes the dictation and its window. If a question has been opened meanwhile, the window stays. */
  #close(): void {
    const { view, window } = this.#deps;
    view.change({ dictation: idleDictation });
    if (view.state.surface !== 'dictate') return;
    window.hide();
    view.reset();
  }

  /** Ignores reports of a connection that still closes after its dictation ended. */
  #showQueuePosition(place: number | undefined): void {
    const { view } = this.#deps;
    const { dictation } = view.state;
    if (this.#run === undefined || dictation.place === place) return;
    view.change({ dictation: { ...dictation, place } });
  }

  #show(changes: Partial<DictationView>): void {
    const { view } = this.#deps;
    view.change({ dictation: { ...view.state.dictation, ...changes } });
  }
}

/** Asks for the words as they were said, or without fillers; with the user's language and spellings. */
export function dictationPrompt(
  { cursor, phrasePrompt }: Pick<CoreMessages, 'cursor' | 'phrasePrompt'>,
  { dictation }: Pick<CursorSettings, 'dictation'>,
): CoreMessages['phrasePrompt'] {
  const { mode, language, words } = dictation;
  const { clean, system } = cursor.dictation;
  const base = mode === 'verbatim' ? phrasePrompt : { system, request: clean };
  const added = [
    language === '' ? '' : fillMessage(cursor.dictation.language, { language }),
    words.length === 0 ? '' : fillMessage(cursor.dictation.words, { words: words.join(', ') }),
  ];
  return { ...base, request: [base.request, ...added].filter((text) => text !== '').join(' ') };
}
