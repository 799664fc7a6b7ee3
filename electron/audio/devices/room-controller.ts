import type {
  RoomTestFailure,
  RoomJudgement,
  SavedRoom,
  RoomStep,
} from '../../../shared/audio/sound-tests.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { RoomHandlers } from '../../../shared/ipc/audio-ipc.ts';
import { type Page, PageCleanup } from '../../../shared/ipc/page.ts';
import { delay } from '../../../shared/ports/clock.ts';
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import { DeviceLease } from './device-lease.ts';
import { judgeRoom, type RoomRecordings, RoomTest } from './room-test.ts';
import type { SoundControllerDeps, TestDevices } from './sound-devices.ts';

export type SaveRoom = (room: RoomRecordings) => Promise<Outcome<SavedRoom>>;

export interface RoomControllerDeps extends Pick<SoundControllerDeps, 'clock' | 'lock' | 'post'> {
  readonly devices: TestDevices;
  readonly settings: Pick<SettingsReader, 'get'>;
  readonly roomPhrase: () => Promise<Outcome<Float32Array>>;
  /** Asks the user for a folder and returns how to save there; undefined if the user cancels. */
  readonly chooseRoomPlace: () => Promise<SaveRoom | undefined>;
}

interface Run {
  readonly page: Page;
  signalReady: () => void;
  recorded: RoomRecordings | undefined;
}

/** Runs the room test for a page. Recordings stay in memory until the user saves or discards them. */
export class RoomController {
  readonly #deps: RoomControllerDeps;
  readonly #testing: DeviceLease<RoomTest>;
  readonly #pageCleanup = new PageCleanup();
  #run: Run | undefined;

  readonly handlers: RoomHandlers = {
    testRoom: (_input, page) => this.#test(page),
    speakInRoom: (_input, page) => {
      if (page === this.#run?.page) this.#run.signalReady();
    },
    keepRoom: (_input, page) => this.#keep(page),
    forgetRoom: async (_input, page) => {
      if (page !== this.#run?.page) return;
      this.#discard();
      await this.#testing.cancel();
    },
  };

  constructor(deps: RoomControllerDeps) {
    this.#deps = deps;
    this.#testing = new DeviceLease({
      lock: deps.lock,
      // The page learns the reason from the reply to its request.
      onPreempted: () => undefined,
      close: (test) => test.end(),
    });
  }

  async #test(page: Page): Promise<Outcome<RoomJudgement | RoomTestFailure>> {
    const run: Run = { page, signalReady: () => undefined, recorded: undefined };
    this.#run = run;
    this.#pageCleanup.set(page, this.#discard);
    const judged = await this.#judge(run);
    if (this.#run !== run) return judged.ok ? failure('testStopped') : judged;
    if (!judged.ok || typeof judged.value === 'string') this.#discard();
    return judged;
  }

  async #judge(run: Run): Promise<Outcome<RoomJudgement | RoomTestFailure>> {
    const recorded = await this.#record(run);
    if (!recorded.ok || this.#run !== run) return recorded.ok ? failure('testStopped') : recorded;
    run.recorded = recorded.value;
    this.#postStep({ step: 'judging' });
    // Lets other tasks run while the room is judged.
    const value = await judgeRoom(run.recorded, () => delay(this.#deps.clock, 0));
    return { ok: true, value };
  }

  /** Frees the devices afterwards, also on failure. */
  async #record(run: Run): Promise<Outcome<RoomRecordings>> {
    const open = async (): Promise<Outcome<RoomTest>> => {
      const phrase = await this.#deps.roomPhrase();
      return phrase.ok ? { ok: true, value: this.#openTest(phrase.value) } : phrase;
    };
    const ready = (): Promise<boolean> =>
      new Promise((resolve) => {
        run.signalReady = () => resolve(true);
      });
    const recorded = await this.#testing.run(run.page, open, (test) =>
      test.run((step) => this.#postStep(step), ready),
    );
    return recorded.ok ? recorded.value : recorded;
  }

  #openTest(phrase: Float32Array): RoomTest {
    const { devices, clock, settings, post } = this.#deps;
    return new RoomTest({
      devices,
      clock,
      phrase,
      audio: settings.get().audio,
      onLevel: ({ rmsDb, peakDb, clipped }) =>
        post('microphoneMeter', { kind: 'level', rmsDb, peakDb, clipped }),
    });
  }

  async #keep(page: Page): Promise<Outcome<SavedRoom>> {
    const run = this.#run;
    if (run?.recorded === undefined || run.page !== page) return recordingGone;
    const save = await this.#deps.chooseRoomPlace();
    if (save === undefined) return { ok: true, value: { kind: 'cancelled' } };
    // The recording was discarded while the dialog was open.
    if (this.#run !== run) return recordingGone;
    const saved = await save(run.recorded);
    if (saved.ok && this.#run === run) this.#discard();
    return saved;
  }

  #postStep(step: RoomStep): void {
    this.#deps.post('roomStep', step);
  }

  readonly #discard = (): void => {
    this.#run = undefined;
    this.#pageCleanup.clear();
  };
}

const recordingGone = failure('ownSoundGone');
