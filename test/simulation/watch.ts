import type { ConversationEvent } from '../../electron/conversation/conversation-event.ts';
import { tapeFiles } from '../../electron/recorder/recording/tape.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { errorMessage } from '../../shared/errors/error-message.ts';
import { englishErrors } from '../../shared/i18n/en/errors.ts';
import { chineseErrors } from '../../shared/i18n/zh/errors.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { AnswerAccount } from './answer-account.ts';
import type { Run, SimulatedWorld } from './simulated-world.ts';

type Ending = 'quit' | 'kill' | 'powerCut';

/** A microphone is closed within this after what it was open for. */
const closesWithinMs = 1500;
/** A change of settings is on the disk within this, where the disk has room. */
const writtenWithinMs = 500;
/** What found no room is tried again within this. */
const retriedWithinMs = 20_000;
/** What is said in a talk is on the disk within this. */
const journaledWithinMs = 3000;
const lookEveryMs = 5000;

const most = { captions: 50, timers: 80, connections: 4, speakers: 4, viewBytes: 200_000 };

interface KnownSettings {
  readonly text: string;
  readonly from: number;
}

/** What must hold after everything that happens; the first that does not is `wrong`, in a sentence. */
export class Watch {
  readonly #world: SimulatedWorld;
  readonly answers = new AnswerAccount();
  #wrong: string | undefined;
  #microphoneSince: number | undefined;
  #lookedAt = 0;
  #known: readonly KnownSettings[] = [];
  #filledAt = -Infinity;
  #fullUntil = -Infinity;
  #ended: { readonly how: Ending; readonly at: number } | undefined;
  /** When something was first shown as heard in the talk that goes on. */
  #spokenSince: number | undefined;
  #pausedSince: number | undefined;
  #heardAnything = false;
  #phase: TalkState['phase'] = 'idle';
  talks = 0;
  frames = 0;
  tapes = 0;
  restarts = 0;
  endings = new Map<string, number>();

  constructor(world: SimulatedWorld) {
    this.#world = world;
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

  notice({ name, payload }: Notice): void {
    if (name === 'talkTrouble') this.#words(payload);
    else if (name === 'talkState') {
      if (payload.phase === 'reconnecting') this.#words(payload.error);
      this.#goesOn(payload.phase);
      if (payload.phase !== 'ended') return;
      this.#words(payload.ending.error);
      const { code } = payload.ending.error;
      this.endings.set(code, (this.endings.get(code) ?? 0) + 1);
    } else if (name === 'talkControls') {
      if (!payload.paused) this.#pausedSince = undefined;
      else this.#pausedSince ??= this.#world.now;
    } else if (name === 'caption') {
      this.answers.shown(payload.turn, payload);
      if (payload.heard === undefined || payload.turn < 0) return;
      this.#heardAnything = true;
      this.#spokenSince ??= this.#world.now;
    } else if (name === 'talkBegan' && payload.session === undefined) {
      this.talks += 1;
      this.#heardAnything = false;
      this.#spokenSince = undefined;
      this.#pausedSince = undefined;
      this.answers.begin();
    }
  }

  /** One that has ended leaves nothing to be offered; one that goes on has been heard before. */
  #goesOn(phase: TalkState['phase']): void {
    const before = this.#phase;
    this.#phase = phase;
    if (phase === 'ended') this.#spokenSince = undefined;
    else if (before === 'ended' && this.#heardAnything) this.#spokenSince = this.#world.now;
  }

  talkEvent(event: ConversationEvent): void {
    if (event.event === 'audio') this.answers.came(event.turn, event.audio, this.#world.now);
    else if (event.event === 'listen' && event.flushedSamples > 0) this.answers.cut();
  }

  settingsChanged(): void {
    const text = this.#settings;
    if (text !== undefined && text !== this.#known.at(-1)?.text)
      this.#known = [...this.#known.slice(-200), { text, from: this.#world.now }];
  }

  /** Times between which nothing can be written for good are one. */
  diskFilled(ms: number): void {
    const { now } = this.#world;
    if (now - this.#fullUntil > retriedWithinMs) this.#filledAt = now;
    this.#fullUntil = Math.max(this.#fullUntil, now + ms);
  }

  ends(run: Run, how: Ending): void {
    this.restarts += 1;
    const { view } = run.parley.talk;
    const { now } = this.#world;
    this.#ended = { how, at: now };
    const goesOn = view.state.phase !== 'ended' && view.state.phase !== 'idle';
    const sinceMs = this.#spokenSince === undefined ? 0 : now - this.#spokenSince;
    this.#mustBeShown =
      how !== 'quit' &&
      goesOn &&
      sinceMs > journaledWithinMs &&
      !this.#diskWasFull &&
      run.parley.settings.get().privacy.keepTalks !== 'no';
    // In order, it is heard until its speaker is closed.
    if (how !== 'quit') this.answers.begin();
    this.#microphoneSince = undefined;
    this.#spokenSince = undefined;
    this.#pausedSince = undefined;
  }

  #mustBeShown = false;

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

  /** Another process has begun: it has to find what the one before has promised. */
  async begun(run: Run): Promise<void> {
    const ended = this.#ended;
    const text = this.#settings;
    if (ended === undefined || text === undefined) {
      this.settingsChanged();
      return;
    }
    const since = this.#diskWasFull
      ? this.#filledAt - writtenWithinMs
      : ended.at - (ended.how === 'quit' ? 0 : writtenWithinMs);
    const found = this.#known.some(
      (known, index) => known.text === text && (this.#known[index + 1]?.from ?? Infinity) > since,
    );
    if (!found) this.#fail(`the settings after a ${ended.how} were none that had been promised`);
    this.#known = [{ text, from: this.#world.now }];
    if (this.#mustBeShown && run.parley.talk.view.state.phase !== 'ended')
      this.#fail('a talk that was cut is not offered to be gone on with');
    await this.#tapes(run, ended.how);
    await this.#records(run);
  }

  /** After every event. */
  look(): void {
    const { run, now } = this.#world;
    if (run === undefined) return;
    const { sound, parley } = run;
    const { phase } = parley.talk.view.state;
    const needed = phase !== 'idle' && phase !== 'ended';
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

  async #tapes({ parley, access }: Run, how: Ending): Promise<void> {
    const { disk } = access;
    const folders = disk.folders('/tapes/');
    for (const folder of folders) {
      const lines = disk.read(`${folder}/${tapeFiles.lines}`);
      if (lines === undefined || lines.length === 0) continue;
      this.tapes += 1;
      const health = await parley.sessions.checkTape(folder);
      // A power cut may leave less than its first line.
      const isBegun = lines.includes(10);
      if (!health.ok && isBegun)
        this.#fail(`a tape does not open after a ${how}: ${health.error.code}`);
      else if (health.ok && how === 'quit' && !this.#diskWasFull && health.value.state !== 'whole')
        if (health.value.damage?.code !== 'tapeUnfinished' || !this.#hadKill)
          this.#fail(`a tape is ${health.value.state} after Parley had ended in order`);
    }
    this.#hadKill = how !== 'quit';
    for (const folder of folders) disk.remove(folder);
  }

  #hadKill = false;

  async #records({ parley }: Run): Promise<void> {
    const ids = await parley.texts.list();
    if (!ids.ok) {
      this.#fail('the talks that are kept cannot be listed');
      return;
    }
    for (const { id } of ids.value) {
      const record = await parley.texts.record(id);
      if (!record.ok) this.#fail(`a talk that is kept does not open: ${record.error.code}`);
    }
  }

  get #settings(): string | undefined {
    const { run } = this.#world;
    return run && JSON.stringify(run.parley.settings.get());
  }

  get #diskWasFull(): boolean {
    return this.#world.now - this.#fullUntil < retriedWithinMs;
  }

  #words(error: AppError): void {
    for (const table of [englishErrors, chineseErrors]) {
      const sentence = errorMessage(error, table);
      if (sentence.trim() === '' || /undefined|\{\{|NaN|\[object/u.test(sentence))
        this.#fail(`there are no words for ${error.code}: “${sentence}”`);
    }
  }

  #fail(sentence: string): void {
    this.#wrong ??= sentence;
  }
}
