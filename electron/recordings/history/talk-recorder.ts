import {
  type AppError,
  appError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { type Clock, createMonotonicWallClock, Timer } from '../../../shared/ports/clock.ts';
import type {
  TalkTextState,
  RecentBufferState,
  TalkStorageState,
} from '../../../shared/talk/talk-view.ts';
import { type TranscribedTurn, recordedServer } from '../../../shared/recordings/talk-record.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import type { VisionFrame } from '../../../shared/vision/vision-frame.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import type { BegunTalk, TalkHistory } from '../../talk/active-talk.ts';
import type { ConversationEvent } from '../../talk/conversation-options.ts';
import type { CrashedTalk } from '../../talk/talk-journal.ts';
import { toTalkTextState, TalkRecordWriter, type ShownTalk } from './talk-record-writer.ts';
import { recordFromJournal, TalkRecordBuilder } from './talk-record-builder.ts';
import type { TalkStore } from './talk-source.ts';

interface Deps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  readonly clock: Clock;
  readonly wallNow: () => number;
  readonly keepTalks: () => PrivacySettings['keepTalks'];
  readonly decide: (keep: boolean) => Outcome<undefined>;
  /** Adds the user's words to a finished record on disk. */
  readonly addWords: (id: string, turn: TranscribedTurn) => Promise<Outcome<undefined>>;
  readonly onChange: (id: string) => void;
  readonly reportError: (error: AppError) => void;
}

/** Limit of ended talks that wait for the user's decision. Older ones are discarded. */
const maxUndecided = 20;

/** Records the text of talks. By the user's setting, writes it, holds it in memory until the user decides, or discards it. */
export class TalkRecorder implements TalkHistory {
  readonly #deps: Deps;
  readonly #scheduler: TalkWriteScheduler;
  #incognito = false;
  #recent: RecentBufferState | undefined;
  #shown: ShownTalk | undefined;
  /** The previous talk, whose write may be pending. */
  #previous: TalkRecordWriter | undefined;
  #undecided: readonly TalkRecordWriter[] = [];
  #published: TalkStorageState = { incognito: false, talk: { kind: 'notStored' } };
  #listener: (storage: TalkStorageState) => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { store, clock, onChange: changed, reportError } = deps;
    this.#scheduler = new TalkWriteScheduler({
      store,
      clock,
      onChange: changed,
      reportError,
      findDueWriter: () => (deps.keepTalks() === 'yes' ? this.#shown?.writer : undefined),
      onWriteAttempt: () => this.#publish(),
    });
  }

  listen(listener: (storage: TalkStorageState) => void): void {
    this.#listener = listener;
  }

  get storage(): TalkStorageState {
    const recent = this.#recent === undefined ? {} : { recent: this.#recent };
    return { incognito: this.#incognito, talk: this.#textState, ...recent };
  }

  /** Id of the running talk, which must not be deleted. */
  get runningId(): string | undefined {
    return this.#shown?.ended === false ? this.#shown.writer?.id : undefined;
  }

  /** Id of the talk on screen, even if its text is not stored; undefined if it is incognito. Its tape has this name. */
  get shownId(): string | undefined {
    return this.#shown?.writer?.id;
  }

  /** Whether an ended talk waits for the user's decision, so that its text must survive a crash. */
  get awaitsDecision(): boolean {
    return this.#textState.kind === 'asked';
  }

  /** Whether the talk on screen was started incognito. */
  get isIncognito(): boolean {
    return this.#shown !== undefined && this.#shown.writer === undefined;
  }

  setRecent(recent: RecentBufferState | undefined): void {
    this.#recent = recent;
    this.#publish();
  }

  setIncognito(on: boolean): void {
    this.#incognito = on;
    this.#publish();
  }

  begin({ id, incognito, mode, name, address }: BegunTalk): void {
    this.dismiss();
    const { clock, wallNow } = this.#deps;
    const builder = new TalkRecordBuilder(
      { mode, server: recordedServer(name, address) },
      createMonotonicWallClock(clock, wallNow),
    );
    const writer = incognito ? undefined : this.#scheduler.createWriter(id, builder);
    this.#shown = { writer, ended: false };
    this.#publish();
  }

  /** Restores a talk cut by a crash, if the user decides after each talk. */
  restore(cut: CrashedTalk, id: string): void {
    if (this.#deps.keepTalks() !== 'ask' || this.#shown !== undefined) return;
    const builder = recordFromJournal(cut);
    this.#shown = { writer: this.#scheduler.createWriter(id, builder), ended: true };
    this.#publish();
  }

  readonly onEvent = (event: ConversationEvent): void => {
    const shown = this.#shown;
    if (shown?.writer === undefined) return;
    const { builder } = shown.writer;
    if (event.event === 'talk') {
      builder.applyState(event.state);
      this.#shown = { ...shown, ended: event.state.phase === 'ended' };
      if (event.state.phase === 'ended') this.#scheduler.writeNow();
    } else if (event.event === 'caption') builder.applyCaption(event.patch, event.isInterruption);
    else if (event.event === 'devices') builder.applyDevices(event.devices);
    else if (event.event === 'error' && !event.fatal) builder.addTrouble(event.error);
    else return;
    this.#scheduler.writeSoon();
    this.#publish();
  };

  picture(frame: VisionFrame): void {
    const { writer, ended } = this.#shown ?? {};
    const keepTalks = this.#deps.keepTalks();
    if (writer === undefined || ended === true || keepTalks === 'no') return;
    if (writer.addPicture(frame, keepTalks === 'yes')) this.#scheduler.writeSoon();
  }

  answer(keep: boolean): Outcome<undefined> {
    if (this.#deps.keepTalks() !== 'ask') return failure('nothingAsked');
    const decided = this.#deps.decide(keep);
    if (decided.ok) this.settingsChanged();
    return decided;
  }

  /** Applies the setting to all undecided talks and the talk on screen. */
  settingsChanged(): void {
    const keepTalks = this.#deps.keepTalks();
    if (keepTalks !== 'ask') {
      for (const writer of this.#undecided)
        this.#scheduler.track(keepTalks === 'yes' ? writer.write() : writer.drop());
      this.#undecided = [];
      const { writer } = this.#shown ?? {};
      if (writer !== undefined && keepTalks === 'yes') this.#scheduler.write(writer);
      else if (writer !== undefined) this.#scheduler.track(writer.drop());
    }
    this.#publish();
  }

  /** Takes the talk off the screen, because another begins or Parley ends. */
  dismiss(): void {
    this.#scheduler.stopWaiting();
    const { writer } = this.#shown ?? {};
    this.#shown = undefined;
    if (writer !== undefined) {
      this.#previous = writer;
      if (this.#deps.keepTalks() === 'yes') this.#scheduler.write(writer);
      else if (this.#deps.keepTalks() === 'ask' && !writer.builder.isEmpty)
        this.#undecided = [...this.#undecided, writer].slice(-maxUndecided);
    }
    this.#publish();
  }

  /** Changes the record of the talk on screen. Returns false if the caller must change the file on disk instead or as well. */
  edit(id: string, change: (builder: TalkRecordBuilder) => void): boolean {
    const { writer, ended } = this.#shown ?? {};
    if (writer?.id !== id || !writer.isWritten) return false;
    // An ended talk can be continued, so its builder gets the change, too.
    change(writer.builder);
    if (ended === true) return false;
    this.#scheduler.track(writer.write(true));
    return true;
  }

  /** Adds the user's words. Their transcript can arrive after the talk has ended. */
  addWords(id: string, turn: TranscribedTurn): void {
    const { writer: shown, ended } = this.#shown ?? {};
    const writer = [shown, this.#previous, ...this.#undecided].find((each) => each?.id === id);
    writer?.builder.addTranscribedTurn(turn);
    const add = async (): Promise<void> => {
      const added = await this.#deps.addWords(id, turn);
      // A deleted record stays deleted.
      if (added.ok) this.#deps.onChange(id);
      else if (added.error.code !== 'talkRecordGone') this.#deps.reportError(added.error);
    };
    if (writer === undefined) this.#scheduler.track(add());
    else if (writer === shown && ended === false) this.#scheduler.writeSoon();
    else if (writer.isWritten) this.#scheduler.track(writer.amend(add));
    else if (this.#deps.keepTalks() === 'yes') this.#scheduler.write(writer);
    // The talk can have a record all the same: transcribing its tape stores one.
    else this.#scheduler.track(add());
    this.#publish();
  }

  /** Discards a talk that the user deletes, if it is on screen. */
  async forget(id: string): Promise<void> {
    if (this.#previous?.id === id) this.#previous = undefined;
    const { writer } = this.#shown ?? {};
    if (writer?.id !== id) return;
    this.#shown = undefined;
    this.#publish();
    await writer.drop();
  }

  async forgetEnded(): Promise<void> {
    const undecided = this.#undecided;
    this.#undecided = [];
    this.#previous = undefined;
    for (const writer of undecided) await writer.drop();
    const { writer, ended } = this.#shown ?? {};
    if (writer !== undefined && ended === true) await this.forget(writer.id);
  }

  async end(): Promise<void> {
    this.dismiss();
    await this.#scheduler.finished();
  }

  get #textState(): TalkTextState {
    return toTalkTextState(this.#shown, this.#deps.keepTalks());
  }

  #publish(): void {
    const { storage } = this;
    if (isSameJson(storage, this.#published)) return;
    this.#published = storage;
    this.#listener(storage);
  }
}

interface SchedulerDeps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly onChange: (id: string) => void;
  readonly reportError: (error: AppError) => void;
  /** The writer of the talk on screen, if the settings allow storing. */
  readonly findDueWriter: () => TalkRecordWriter | undefined;
  readonly onWriteAttempt: () => void;
}

const writeEveryMs = 1500;
const retryMs = 15_000;

/** Schedules writes: soon after each change, again after a failure, and before Parley ends. */
class TalkWriteScheduler {
  readonly #deps: SchedulerDeps;
  readonly #unfinished = new Set<Promise<void>>();
  readonly #writeTimer: Timer;
  #hasReported = false;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    this.#writeTimer = new Timer(deps.clock);
  }

  createWriter(id: string, builder: TalkRecordBuilder): TalkRecordWriter {
    const { store, onChange: changed } = this.#deps;
    return new TalkRecordWriter(id, builder, {
      store,
      onChange: (written) => {
        this.#hasReported = false;
        changed(written);
      },
      reportError: (cause) => {
        if (!this.#hasReported)
          this.#deps.reportError(appError('talkTextNotStored', {}, { cause }));
        this.#hasReported = true;
        this.writeSoon(retryMs);
      },
    });
  }

  writeSoon(afterMs: number = writeEveryMs): void {
    if (this.#deps.findDueWriter() !== undefined)
      this.#writeTimer.setIfIdle(afterMs, () => this.writeNow());
  }

  writeNow(): void {
    const writer = this.#deps.findDueWriter();
    if (writer !== undefined) this.write(writer);
  }

  write(writer: TalkRecordWriter): void {
    this.track(writer.write().then(this.#deps.onWriteAttempt));
  }

  track(work: Promise<void>): void {
    const unfinished = work.finally(() => this.#unfinished.delete(unfinished));
    this.#unfinished.add(unfinished);
  }

  stopWaiting(): void {
    this.#writeTimer.stop();
  }

  async finished(): Promise<void> {
    await Promise.all(this.#unfinished);
  }
}
