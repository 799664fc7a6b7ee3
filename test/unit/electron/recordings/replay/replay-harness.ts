import { DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import type { DeviceEvent } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { ReplayController } from '../../../../../electron/recordings/replay/replay-controller.ts';
import type { ReplaySpeakerDeps } from '../../../../../electron/recordings/replay/replay-player.ts';
import { loadTapeAt, TapeFinder } from '../../../../../electron/recordings/tape/tape-archive.ts';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import { englishCarryOver } from '../../../../../shared/i18n/en/prompts.ts';
import type {
  NoticeName,
  Notices,
  RequestName,
  RequestValue,
} from '../../../../../shared/ipc/contract.ts';
import { noPage, type Page } from '../../../../../shared/ipc/page.ts';
import type { ReplayHandlers } from '../../../../../shared/ipc/recordings-ipc.ts';
import type { Handler } from '../../../../../shared/ipc/request-definition.ts';
import type { OpenReplay } from '../../../../../shared/recordings/replay-view.ts';
import type { TalkRecord } from '../../../../../shared/recordings/talk-record.ts';
import { unwrapAnswer } from '../../../../fakes/unwrap.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import { type TalkScript, recordTalk } from '../../../../fixtures/record-talk.ts';
import { renderDeps } from '../../../../fixtures/stored-tape.ts';

/** A speaker that plays as its clock advances, and records its output. */
class HeardSpeaker {
  readonly output: number[] = [];
  readonly #clock: FakeClock;
  readonly #emit: (event: DeviceEvent) => void;
  #queue: number[] = [];
  #at: number;
  ended = false;

  constructor(clock: FakeClock, emit: (event: DeviceEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
    this.#at = clock.now();
  }

  present = true;
  /** Opening and ending wait for this. */
  device = Promise.resolve();

  async open(): Promise<void> {
    await this.device;
    this.tell();
  }

  tell(): void {
    this.follow();
    this.#emit(
      this.present
        ? { kind: 'using', device: 'Room' }
        : { kind: 'lost', error: appError('endedByPerson') },
    );
  }

  end(): Promise<void> {
    this.follow();
    this.ended = true;
    return this.device;
  }

  write(samples: Float32Array): void {
    this.follow();
    for (const sample of samples) this.#queue.push(sample);
  }

  flush() {
    this.follow();
    const dropped = this.#queue.length;
    this.#queue = [];
    return { dropped, answer: dropped, heard: this.output.length };
  }

  heard(): number {
    this.follow();
    return this.output.length;
  }

  queued(): number {
    this.follow();
    return this.#queue.length;
  }

  setVolume(): void {
    // Volume is not simulated.
  }

  follow(): void {
    const now = this.#clock.now();
    const passed = Math.round((now - this.#at) * 24);
    this.#at = now;
    if (this.present && !this.ended) this.output.push(...this.#queue.splice(0, passed));
  }
}

/** A replay whose page, clock and devices are the test's; opening a microphone or socket fails. */
export class ReplayHarness {
  readonly clock = new FakeClock();
  readonly files = new FakeFiles();
  readonly posted: { readonly name: NoticeName; readonly payload: unknown }[] = [];
  readonly speakers: HeardSpeaker[] = [];
  readonly removed: string[] = [];
  readonly lock: DeviceLock;
  readonly replay: ReplayController;
  readonly talk = { isActive: false };
  devicePresent = true;
  device = Promise.resolve();
  watched = false;
  /** Stored text of the talk whose tape is opened. */
  text: TalkRecord | undefined;

  constructor(createSpeaker?: ReplaySpeakerDeps['createSpeaker']) {
    this.lock = new DeviceLock();
    this.lock.setTalk(this.talk);
    this.replay = new ReplayController({
      ...renderDeps,
      clock: this.clock,
      lock: this.lock,
      carryOverMessages: () => Promise.resolve(englishCarryOver),
      findRecord: () =>
        Promise.resolve(
          this.text === undefined ? failure('talkRecordGone') : { ok: true, value: this.text },
        ),
      parseTime: () => 1000,
      isWireWatched: () => this.watched,
      audio: () => ({ speaker: 'default', playbackVolume: 1 }),
      createSpeaker:
        createSpeaker ??
        (({ emit }) => {
          const speaker = new HeardSpeaker(this.clock, emit);
          speaker.present = this.devicePresent;
          speaker.device = this.device;
          this.speakers.push(speaker);
          return speaker;
        }),
      post: <Name extends NoticeName>(name: Name, payload: Notices[Name]) => {
        this.posted.push({ name, payload });
      },
      tapes: new TapeFinder({
        loadTapeAt: (path) =>
          loadTapeAt(path, {
            files: this.files,
            base64: bufferBase64,
            unpack: () =>
              Promise.resolve({
                ok: true,
                value: {
                  folder: '/tapes/one',
                  remove: () => {
                    this.removed.push('/tapes/one');
                    return Promise.resolve();
                  },
                },
              }),
          }),
        folder: {
          path: '/tapes',
          names: () => Promise.resolve({ ok: true, value: ['one'] }),
        },
        exampleAt: (name) => `/examples/${name}.parleytape`,
      }),
    });
  }

  async record(talk: TalkScript): Promise<this> {
    await recordTalk('/tapes/one', this.files, talk);
    return this;
  }

  ask<Name extends keyof ReplayHandlers & RequestName>(
    name: Name,
    input: Parameters<ReplayHandlers[Name]>[0],
    page: Page = noPage,
  ): Promise<RequestValue<Name>> {
    const handle = this.replay.handlers[name] as Handler<unknown, RequestValue<Name>>;
    return Promise.resolve().then(() => unwrapAnswer(handle(input, page)));
  }

  get open(): OpenReplay {
    const { view } = this.replay;
    if (view.kind !== 'open') throw new Error(`It is ${view.kind}.`);
    return view;
  }

  of<Name extends NoticeName>(name: Name): readonly Notices[Name][] {
    return this.posted.flatMap((notice) =>
      notice.name === name ? [notice.payload as Notices[Name]] : [],
    );
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10) {
      this.clock.advance(Math.min(10, ms - passed));
      await flushPromises();
    }
  }

  /** Opens the tape and renders it. */
  async opened(): Promise<this> {
    await this.ask('openReplay', { kind: 'tape', tape: 'one' });
    for (
      let turn = 0;
      turn < 20_000 && this.open.timeline.readyMs < this.open.timeline.lengthMs;
      turn += 1
    ) {
      this.clock.advance(5);
      await flushPromises();
    }
    // Waits for the effects of the tape's last line.
    await this.pass(200);
    return this;
  }
}
