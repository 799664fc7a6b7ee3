import type { ConversationEvent } from '../../electron/talk/conversation-event.ts';
import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { AnswerAccount } from './answer-account.ts';
import { ChatPromises } from './chat-promises.ts';
import { appErrorWords } from './error-words.ts';
import { KeptPromises, type ProcessEnding } from './kept-promises.ts';
import type { Run } from './simulated-run.ts';

/** A microphone is closed within this after what it was open for. */
const closesWithinMs = 1500;
const lookEveryMs = 5000;

const most = { captions: 50, timers: 80, connections: 5, speakers: 4, viewBytes: 200_000 };

/** What is watched: whichever process there is, and what time it is. */
interface WatchedWorld {
  readonly now: number;
  readonly run: Run | undefined;
}

/** What must hold after everything that happens; the first that does not is `wrong`, in a sentence. */
export class Watch {
  readonly #world: WatchedWorld;
  readonly answers = new AnswerAccount();
  readonly kept: KeptPromises;
  readonly chats: ChatPromises;
  #wrong: string | undefined;
  #microphoneSince: number | undefined;
  #lookedAt = 0;
  #lastLookAt = 0;
  /** What pages are shown may be another than at the last look. */
  #noticed = true;
  #phase: TalkState['phase'] = 'idle';
  #pausedSince: number | undefined;
  talks = 0;
  frames = 0;
  restarts = 0;
  chatAnswers = 0;
  talkMs = 0;
  endings = new Map<string, number>();

  constructor(world: WatchedWorld) {
    this.#world = world;
    this.kept = new KeptPromises({
      now: () => world.now,
      run: () => world.run,
      fail: (sentence) => {
        this.#fail(sentence);
      },
    });
    this.chats = new ChatPromises({
      now: () => world.now,
      run: () => world.run,
      fail: (sentence) => {
        this.#fail(sentence);
      },
      words: (error) => {
        this.#words(error);
      },
      talkRemoved: () => {
        this.kept.talkRemoved();
      },
    });
  }

  /** What one process has promised, the next one has to keep. */
  async begun(run: Run): Promise<void> {
    this.#noticed = true;
    await this.kept.begun(run);
    await this.chats.begun(run);
  }

  settingsChanged(): void {
    this.kept.settingsChanged();
    this.chats.settingsChanged();
  }

  diskFilled(ms: number): void {
    this.kept.diskFilled(ms);
    this.chats.diskFilled(ms);
  }

  get wrong(): string | undefined {
    return this.#wrong ?? this.answers.wrong;
  }

  /** The person is shown that nobody hears them. */
  get unheard(): boolean {
    const controls = this.#world.run?.parley.talk.view.controls;
    return controls !== undefined && (controls.muted || controls.coughMuted || controls.paused);
  }

  sent(append: { readonly secret: boolean } | undefined, afterEnd: boolean): void {
    const { run, now } = this.#world;
    if (afterEnd) this.#fail('a frame was sent on a connection that was closed');
    if (append === undefined) return;
    this.frames += 1;
    if (append.secret) this.#fail('something that was said while muted or paused was sent');
    const phase = run?.parley.talk.view.state.phase;
    if (phase === 'ended' || phase === 'idle')
      this.#fail(`sound was sent while the talk is shown as ${phase}`);
    if (this.#pausedSince !== undefined && now - this.#pausedSince > 1000)
      this.#fail('sound was sent while the talk is paused');
  }

  notice(notice: Notice): void {
    this.#noticed = true;
    this.kept.notice(notice);
    const { name, payload } = notice;
    if (name === 'talkTrouble' || name === 'chatProblem') this.#words(payload);
    else if (name === 'chatPatch') this.#answer(payload);
    else if (name === 'talkState') {
      if (payload.phase === 'reconnecting') this.#words(payload.error);
      if (payload.phase !== 'ended') return;
      this.#words(payload.ending.error);
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

  /** Of a written conversation. */
  #answer(patch: ChatPatch): void {
    if (patch.kind !== 'answer' || patch.state.kind === 'streaming') return;
    this.chatAnswers += 1;
    if (patch.state.kind === 'failed') this.#words(patch.state.error);
  }

  talkEvent(event: ConversationEvent): void {
    if (event.event === 'audio') this.answers.came(event.turn, event.audio, this.#world.now);
    else if (event.event === 'listen' && event.flushedSamples > 0) this.answers.cut();
  }

  ends(how: ProcessEnding): void {
    this.restarts += 1;
    this.kept.ends(how);
    this.chats.ends(how);
    // In order, it is heard until its speaker is closed.
    if (how !== 'quit') this.answers.begin();
    this.#microphoneSince = undefined;
    this.#pausedSince = undefined;
  }

  /** It has ended in order. */
  quitted({ sound, line, clock }: Run): void {
    this.answers.begin();
    if (sound.openMicrophones > 0) this.#fail('a microphone was open after Parley had ended');
    if (sound.openSpeakers > 0) this.#fail('a speaker was open after Parley had ended');
    if (line.open > 0) this.#fail('a connection was open after Parley had ended');
    if (clock.pending > 0) this.#fail(`${clock.pending} timers were left after Parley had ended`);
  }

  /** Nothing happens any more, and what Parley has opened is not closed. */
  neverEnds(): void {
    this.#fail('Parley does not come to its end, whatever it is given');
  }

  /** After every event. */
  look(): void {
    const { run, now } = this.#world;
    if (run === undefined) return;
    const { sound, parley } = run;
    // A view is made anew whenever it is asked for, and changes with a notice only.
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
    this.#bounds(run);
  }

  #bounds({ clock, line, sound, parley }: Run): void {
    const { view } = parley.talk;
    if (view.state.phase !== this.#phase)
      this.#fail(`the talk is shown as ${view.state.phase}, and nobody was told so`);
    const sizes = {
      captions: view.captions.length,
      timers: clock.pending,
      connections: line.open,
      speakers: sound.openSpeakers,
      viewBytes: JSON.stringify(view).length,
    };
    for (const [name, size] of Object.entries(sizes)) {
      const limit = Reflect.get(most, name) as number;
      if (size > limit) this.#fail(`memory grew: ${size} ${name}, of at most ${limit}`);
    }
    parley.log.lines.length = 0;
  }

  #words(error: AppError): void {
    const wrong = appErrorWords(error);
    if (wrong !== undefined) this.#fail(wrong);
  }

  #fail(sentence: string): void {
    this.#wrong ??= sentence;
  }
}
