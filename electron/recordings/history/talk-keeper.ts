import {
  type AppError,
  appError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { type Clock, steadyCalendar } from '../../../shared/ports/clock.ts';
import type { KeptTalk, RecentHold, TalkKeeping } from '../../../shared/recordings/talk-keeping.ts';
import { type OwnTurn, recordedServer } from '../../../shared/recordings/talk-record.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';
import type { VisionFrame } from '../../../shared/vision/vision-frame.ts';
import type { BegunTalk, TalkHistory } from '../../talk/active-talk.ts';
import type { ConversationEvent } from '../../talk/conversation-event.ts';
import type { CutTalk } from '../../talk/talk-journal.ts';
import { keptTalkOf, KeptTalkWriter, type ShownTalk } from './kept-talk-writer.ts';
import { recordOfCutTalk, TalkRecordBuilder } from './talk-record-builder.ts';
import type { TalkStore } from './talk-record-store.ts';

interface Deps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  readonly clock: Clock;
  readonly wallNow: () => number;
  readonly keepTalks: () => PrivacySettings['keepTalks'];
  readonly decide: (keep: boolean) => Outcome<undefined>;
  /** Writes the person's words into a record that is over. */
  readonly addWords: (id: string, turn: OwnTurn) => Promise<Outcome<undefined>>;
  /** The talk of this id has come to the disk, has changed there, or has gone. */
  readonly changed: (id: string) => void;
  readonly trouble: (error: AppError) => void;
}

/** Talks that ended before anybody said whether they are to be kept. */
const maxHeld = 20;

/** What becomes of the words of talks: kept, held until the person has been asked, or nothing at all. */
export class TalkKeeper implements TalkHistory {
  readonly #deps: Deps;
  readonly #writing: TalkWriting;
  #incognito = false;
  #recent: RecentHold | undefined;
  #shown: ShownTalk | undefined;
  /** The one before, which is perhaps being written still. */
  #left: KeptTalkWriter | undefined;
  /** Earlier ones that nobody has decided on. */
  #held: readonly KeptTalkWriter[] = [];
  #told: TalkKeeping = { incognito: false, talk: { kind: 'unkept' } };
  #tell: (keeping: TalkKeeping) => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { store, clock, changed, trouble } = deps;
    this.#writing = new TalkWriting({
      store,
      clock,
      changed,
      trouble,
      due: () => (deps.keepTalks() === 'yes' ? this.#shown?.writer : undefined),
      tried: () => {
        this.#publish();
      },
    });
  }

  /** From now on, for whoever shows it. */
  listen(tell: (keeping: TalkKeeping) => void): void {
    this.#tell = tell;
  }

  get keeping(): TalkKeeping {
    const recent = this.#recent === undefined ? {} : { recent: this.#recent };
    return { incognito: this.#incognito, talk: this.#keptTalk, ...recent };
  }

  /** The one that goes on, which nobody may take away. */
  get goesOn(): string | undefined {
    return this.#shown?.ended === false ? this.#shown.writer?.id : undefined;
  }

  /** The one that is shown, whether or not its text is kept; its tape has this name. */
  get shownId(): string | undefined {
    return this.#shown?.writer?.id;
  }

  /** An end that nobody has decided on: what was said must outlive a crash. */
  get asks(): boolean {
    return this.#keptTalk.kind === 'asked';
  }

  /** That it leaves nothing was said before it began. */
  get leavesNothing(): boolean {
    return this.#shown !== undefined && this.#shown.writer === undefined;
  }

  setRecent(recent: RecentHold | undefined): void {
    this.#recent = recent;
    this.#publish();
  }

  setIncognito(on: boolean): void {
    this.#incognito = on;
    this.#publish();
  }

  begin({ id, incognito, mode, name, address }: BegunTalk): void {
    this.leave();
    const { clock, wallNow } = this.#deps;
    const builder = new TalkRecordBuilder(
      { mode, server: recordedServer(name, address) },
      steadyCalendar(clock, wallNow),
    );
    const writer = incognito ? undefined : this.#writing.writerOf(id, builder);
    this.#shown = { writer, ended: false };
    this.#publish();
  }

  /** What a crash has left of a talk, where nobody has said yet whether such text is kept. */
  restore(cut: CutTalk, id: string): void {
    if (this.#deps.keepTalks() !== 'ask' || this.#shown !== undefined) return;
    const builder = recordOfCutTalk(cut);
    this.#shown = { writer: this.#writing.writerOf(id, builder), ended: true };
    this.#publish();
  }

  readonly hear = (event: ConversationEvent): void => {
    const shown = this.#shown;
    if (shown?.writer === undefined) return;
    const { builder } = shown.writer;
    if (event.event === 'talk') {
      builder.state(event.state);
      this.#shown = { ...shown, ended: event.state.phase === 'ended' };
      if (event.state.phase === 'ended') this.#writing.now();
    } else if (event.event === 'caption') builder.caption(event.patch);
    else if (event.event === 'devices') builder.devices(event.devices);
    else if (event.event === 'error' && !event.fatal) builder.trouble(event.error);
    else return;
    this.#writing.soon();
    this.#publish();
  };

  picture(frame: VisionFrame): void {
    const { writer, ended } = this.#shown ?? {};
    const policy = this.#deps.keepTalks();
    if (writer === undefined || ended === true || policy === 'no') return;
    if (writer.picture(frame, policy === 'yes')) this.#writing.soon();
  }

  /** The answer to the question at the end of a talk. */
  answer(keep: boolean): Outcome<undefined> {
    if (this.#deps.keepTalks() !== 'ask') return failure('nothingAsked');
    const decided = this.#deps.decide(keep);
    if (decided.ok) this.settingsChanged();
    return decided;
  }

  /** Decided at the end of a talk, or among the settings. */
  settingsChanged(): void {
    const policy = this.#deps.keepTalks();
    if (policy !== 'ask') {
      for (const writer of this.#held)
        this.#writing.follow(policy === 'yes' ? writer.write() : writer.drop());
      this.#held = [];
      const { writer } = this.#shown ?? {};
      if (writer !== undefined && policy === 'yes') this.#writing.write(writer);
      else if (writer !== undefined) this.#writing.follow(writer.drop());
    }
    this.#publish();
  }

  /** It is shown no more: another one begins, or Parley ends. */
  leave(): void {
    this.#writing.stopWaiting();
    const { writer } = this.#shown ?? {};
    this.#shown = undefined;
    if (writer !== undefined) {
      this.#left = writer;
      if (this.#deps.keepTalks() === 'yes') this.#writing.write(writer);
      else if (this.#deps.keepTalks() === 'ask' && !writer.builder.isEmpty)
        this.#held = [...this.#held, writer].slice(-maxHeld);
    }
    this.#publish();
  }

  /** Of one that goes on: its record is written anew with every word. One that has ended is as it is on the disk. */
  edit(id: string, change: (builder: TalkRecordBuilder) => void): boolean {
    const { writer, ended } = this.#shown ?? {};
    if (writer?.id !== id || !writer.isWritten) return false;
    // It may go on once more.
    change(writer.builder);
    if (ended === true) return false;
    this.#writing.follow(writer.write(true));
    return true;
  }

  /** What the person said, which is known some time after they have said it. */
  addWords(id: string, turn: OwnTurn): void {
    const { writer: shown, ended } = this.#shown ?? {};
    const writer = [shown, this.#left, ...this.#held].find((each) => each?.id === id);
    writer?.builder.own(turn);
    const add = async (): Promise<void> => {
      const added = await this.#deps.addWords(id, turn);
      // One that was deleted since stays deleted.
      if (added.ok) this.#deps.changed(id);
      else if (added.error.code !== 'talkRecordGone') this.#deps.trouble(added.error);
    };
    if (writer === undefined) this.#writing.follow(add());
    else if (writer === shown && ended === false) this.#writing.soon();
    else if (writer.isWritten) this.#writing.follow(writer.amend(add));
    else if (this.#deps.keepTalks() === 'yes') this.#writing.write(writer);
    this.#publish();
  }

  /** One that is shown was deleted: nothing of it is written again. */
  async forget(id: string): Promise<void> {
    if (this.#left?.id === id) this.#left = undefined;
    const { writer } = this.#shown ?? {};
    if (writer?.id !== id) return;
    this.#shown = undefined;
    this.#publish();
    await writer.drop();
  }

  /** What has ended is not to be written, or kept in memory, any longer. */
  async forgetEnded(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#left = undefined;
    for (const writer of held) await writer.drop();
    const { writer, ended } = this.#shown ?? {};
    if (writer !== undefined && ended === true) await this.forget(writer.id);
  }

  async end(): Promise<void> {
    this.leave();
    await this.#writing.finished();
  }

  get #keptTalk(): KeptTalk {
    return keptTalkOf(this.#shown, this.#deps.keepTalks());
  }

  #publish(): void {
    const { keeping } = this;
    if (JSON.stringify(keeping) === JSON.stringify(this.#told)) return;
    this.#told = keeping;
    this.#tell(keeping);
  }
}

interface TalkWritingDeps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  readonly clock: Pick<Clock, 'after'>;
  /** The talk of this id has come to the disk, has changed there, or has gone. */
  readonly changed: (id: string) => void;
  readonly trouble: (error: AppError) => void;
  /** The talk that is shown, where it is to be kept. */
  readonly due: () => KeptTalkWriter | undefined;
  /** One was written, as far as it could be. */
  readonly tried: () => void;
}

const writeEveryMs = 1500;
const retryMs = 15_000;

/** When talks come to the disk: soon after each word, once more where that failed, and all before Parley ends. */
class TalkWriting {
  readonly #deps: TalkWritingDeps;
  readonly #unfinished = new Set<Promise<void>>();
  #stopWaiting: (() => void) | undefined;
  #troubled = false;

  constructor(deps: TalkWritingDeps) {
    this.#deps = deps;
  }

  writerOf(id: string, builder: TalkRecordBuilder): KeptTalkWriter {
    const { store, changed } = this.#deps;
    return new KeptTalkWriter(id, builder, {
      store,
      changed: (written) => {
        this.#troubled = false;
        changed(written);
      },
      trouble: (cause) => {
        if (!this.#troubled) this.#deps.trouble(appError('talkUnkept', {}, { cause }));
        this.#troubled = true;
        this.soon(retryMs);
      },
    });
  }

  soon(afterMs: number = writeEveryMs): void {
    if (this.#deps.due() === undefined) return;
    this.#stopWaiting ??= this.#deps.clock.after(afterMs, () => {
      this.#stopWaiting = undefined;
      this.now();
    });
  }

  now(): void {
    const writer = this.#deps.due();
    if (writer !== undefined) this.write(writer);
  }

  write(writer: KeptTalkWriter): void {
    this.follow(writer.write().then(this.#deps.tried));
  }

  /** What is waited for, however it was begun. */
  follow(work: Promise<void>): void {
    const unfinished = work.finally(() => this.#unfinished.delete(unfinished));
    this.#unfinished.add(unfinished);
  }

  stopWaiting(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  async finished(): Promise<void> {
    await Promise.all(this.#unfinished);
  }
}
