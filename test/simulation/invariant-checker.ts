import type { ConversationEvent } from '../../electron/talk/conversation-options.ts';
import type { ChatPatch } from '../../shared/chat/chat-thread.ts';
import { type AppError, errorMessage } from '../../shared/errors/app-error.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { TalkState } from '../../shared/talk/talk-view.ts';
import { AnswerChecker } from './answer-checker.ts';
import { ChatDurability, StorageDurability, type ProcessEnding } from './storage-durability.ts';
import type { SimulatedProcess } from './simulated-parley.ts';
import { englishErrors } from '../../shared/i18n/en/errors.ts';
import { chineseErrors } from '../../shared/i18n/zh/errors.ts';

/** The microphone must close within this time after the talk ends. */
const closesWithinMs = 1500;
const lookEveryMs = 5000;

const maxSizes = { captions: 50, timers: 80, connections: 5, speakers: 4, viewBytes: 200_000 };

interface CheckedWorld {
  readonly now: number;
  readonly run: SimulatedProcess | undefined;
}

/** Checks the invariants after every event, the slow ones every `lookEveryMs`; `wrong` is a sentence about the first violation. */
export class InvariantChecker {
  readonly #world: CheckedWorld;
  readonly answers = new AnswerChecker();
  readonly storage: StorageDurability;
  readonly chats: ChatDurability;
  #wrong: string | undefined;
  #microphoneSince: number | undefined;
  #lookedAt = 0;
  #lastLookAt = 0;
  /** Whether the pages' state may have changed since the last look. */
  #noticed = true;
  #phase: TalkState['phase'] = 'idle';
  #pausedSince: number | undefined;
  talks = 0;
  frames = 0;
  restarts = 0;
  chatAnswers = 0;
  talkMs = 0;
  endings = new Map<string, number>();

  constructor(world: CheckedWorld) {
    this.#world = world;
    this.storage = new StorageDurability({
      now: () => world.now,
      run: () => world.run,
      fail: (sentence) => {
        this.#fail(sentence);
      },
    });
    this.chats = new ChatDurability({
      now: () => world.now,
      run: () => world.run,
      fail: (sentence) => {
        this.#fail(sentence);
      },
      checkMessage: (error) => {
        this.#checkMessage(error);
      },
      talkRemoved: () => {
        this.storage.talkRemoved();
      },
    });
  }

  /** Checks in a new process that everything durable is stored. */
  async begun(run: SimulatedProcess): Promise<void> {
    this.#noticed = true;
    await this.storage.begun(run);
    await this.chats.begun(run);
  }

  settingsChanged(): void {
    this.storage.settingsChanged();
    this.chats.settingsChanged();
  }

  diskFilled(ms: number): void {
    this.storage.diskFilled(ms);
    this.chats.diskFilled(ms);
  }

  get wrong(): string | undefined {
    return this.#wrong ?? this.answers.wrong;
  }

  /** Whether the user is shown that nobody hears them. */
  get isMutedOrPaused(): boolean {
    const controls = this.#world.run?.parley.talk.view.controls;
    return controls !== undefined && (controls.muted || controls.coughMuted || controls.paused);
  }

  sent(append: { readonly saidMuted: boolean } | undefined, afterEnd: boolean): void {
    const { run, now } = this.#world;
    if (afterEnd) this.#fail('a frame was sent on a connection that was closed');
    if (append === undefined) return;
    this.frames += 1;
    if (append.saidMuted) this.#fail('something that was said while muted or paused was sent');
    const phase = run?.parley.talk.view.state.phase;
    if (phase === 'ended' || phase === 'idle')
      this.#fail(`sound was sent while the talk is shown as ${phase}`);
    if (this.#pausedSince !== undefined && now - this.#pausedSince > 1000)
      this.#fail('sound was sent while the talk is paused');
  }

  notice(notice: Notice): void {
    this.#noticed = true;
    this.storage.notice(notice);
    const { name, payload } = notice;
    if (name === 'talkTrouble' || name === 'chatProblem') this.#checkMessage(payload);
    else if (name === 'chatPatch') this.#answer(payload);
    else if (name === 'talkState') {
      if (payload.phase === 'reconnecting') this.#checkMessage(payload.error);
      if (payload.phase !== 'ended') return;
      this.#checkMessage(payload.ending.error);
      const { code } = payload.ending.error;
      this.endings.set(code, (this.endings.get(code) ?? 0) + 1);
    } else if (name === 'talkControls') {
      if (!payload.paused) this.#pausedSince = undefined;
      else this.#pausedSince ??= this.#world.now;
    } else if (name === 'caption') {
      this.answers.shown(payload.turn, payload);
    } else if (name === 'talkBegan' && payload.session === undefined) {
      this.talks += 1;
      this.#pausedSince = undefined;
      this.answers.begin();
    }
  }

  /** Handles the end of an answer in a written conversation. */
  #answer(patch: ChatPatch): void {
    if (patch.kind !== 'answer' || patch.state.kind === 'streaming') return;
    this.chatAnswers += 1;
    if (patch.state.kind === 'failed') this.#checkMessage(patch.state.error);
  }

  talkEvent(event: ConversationEvent): void {
    if (event.event === 'audio') this.answers.received(event.turn, event.audio, this.#world.now);
    else if (event.event === 'listen' && event.flushedSamples > 0) this.answers.cut();
  }

  ends(how: ProcessEnding): void {
    this.restarts += 1;
    this.storage.ends(how);
    this.chats.ends(how);
    // After a normal quit, sound is heard until its speaker closes.
    if (how !== 'quit') this.answers.begin();
    this.#microphoneSince = undefined;
    this.#pausedSince = undefined;
  }

  /** Checks that a process that quit normally has closed everything. */
  checkQuit({ sound, line, clock }: SimulatedProcess): void {
    this.answers.begin();
    if (sound.openMicrophones > 0) this.#fail('a microphone was open after Parley had ended');
    if (sound.openSpeakers > 0) this.#fail('a speaker was open after Parley had ended');
    if (line.open > 0) this.#fail('a connection was open after Parley had ended');
    if (clock.pending > 0) this.#fail(`${clock.pending} timers were left after Parley had ended`);
  }

  /** Reports that no event is left although a start or quit is unfinished, or that a killed process does not end. */
  reportHang(): void {
    this.#fail('Parley does not end');
  }

  look(): void {
    const { run, now } = this.#world;
    if (run === undefined) return;
    const { sound, parley } = run;
    // Building the view is slow, and it changes only along with a notice.
    if (this.#noticed) this.#phase = parley.talk.view.state.phase;
    this.#noticed = false;
    const phase = this.#phase;
    const needed = phase !== 'idle' && phase !== 'ended';
    if (needed) this.talkMs += now - this.#lastLookAt;
    this.#lastLookAt = now;
    if (sound.openMicrophones === 0 || needed) this.#microphoneSince = undefined;
    else this.#microphoneSince ??= now;
    if (this.#microphoneSince !== undefined && now - this.#microphoneSince > closesWithinMs)
      this.#fail(`the microphone was open while the talk is shown as ${phase}`);
    if (now - this.#lookedAt < lookEveryMs) return;
    this.#lookedAt = now;
    sound.follow();
    this.answers.look(now, sound.idle);
    this.#checkSizes(run);
  }

  #checkSizes({ clock, line, sound, parley }: SimulatedProcess): void {
    const { view } = parley.talk;
    if (view.state.phase !== this.#phase)
      this.#fail(`the talk is shown as ${view.state.phase}, and no notice said so`);
    const sizes = {
      captions: view.captions.length,
      timers: clock.pending,
      connections: line.open,
      speakers: sound.openSpeakers,
      viewBytes: JSON.stringify(view).length,
    };
    for (const [name, size] of Object.entries(sizes)) {
      const limit = Reflect.get(maxSizes, name) as number;
      if (size > limit) this.#fail(`memory grew: ${size} ${name}, of at most ${limit}`);
    }
    parley.log.lines.length = 0;
  }

  #checkMessage(error: AppError): void {
    const wrong = findMessageFault(error);
    if (wrong !== undefined) this.#fail(wrong);
  }

  #fail(sentence: string): void {
    this.#wrong ??= sentence;
  }
}

/** Describes what is wrong with an error's message; undefined if both languages have a proper one. */
export function findMessageFault(error: AppError): string | undefined {
  for (const table of [englishErrors, chineseErrors]) {
    const sentence = errorMessage(error, table);
    if (sentence.trim() === '' || /undefined|\{\{|NaN|\[object/u.test(sentence))
      return `there are no words for ${error.code}: “${sentence}”`;
  }
  return undefined;
}
