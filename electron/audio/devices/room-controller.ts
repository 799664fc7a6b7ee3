import type {
  NoJudgement,
  RoomJudgement,
  RoomKept,
  RoomStep,
} from '../../../shared/audio/room-judgement.ts';
import { appError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { RoomHandlers } from '../../../shared/ipc/audio-ipc.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { type Page, PageHold } from '../../../shared/ipc/page.ts';
import { RequestRefusedError, unwrap } from '../../../shared/ipc/reply.ts';
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import { DeviceLease, type DeviceLock } from './device-lease.ts';
import { judgeRoom, type RoomRecordings } from './judge-room.ts';
import { RoomTest, type RoomTestDeps } from './room-test.ts';

/** A place that somebody has named for it. */
export type RoomPlace = (room: RoomRecordings) => Promise<Outcome<RoomKept>>;

export interface RoomControllerDeps extends Pick<
  RoomTestDeps,
  'openMicrophone' | 'openSpeaker' | 'clock'
> {
  readonly roomPhrase: () => Promise<Outcome<Float32Array>>;
  readonly settings: Pick<SettingsReader, 'get'>;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
  /** Asks where; nothing where the person thought better of it. */
  readonly chooseRoomPlace: () => Promise<RoomPlace | undefined>;
}

/** One test, and what was recorded in it. */
interface Run {
  readonly page: Page;
  isReady: () => void;
  recorded: RoomRecordings | undefined;
}

/** A page lets somebody try their room. What was recorded is in memory, for that page, until they say what becomes of it. */
export class RoomController {
  readonly #deps: RoomControllerDeps;
  readonly #testing: DeviceLease<RoomTest>;
  readonly #holding = new PageHold();
  #run: Run | undefined;

  readonly handlers: RoomHandlers = {
    testRoom: (_input, page) => this.#test(page),
    speakInRoom: (_input, page) => {
      if (page === this.#run?.page) this.#run.isReady();
      return undefined;
    },
    keepRoom: (_input, page) => this.#keep(page),
    forgetRoom: async (_input, page) => {
      if (page !== this.#run?.page) return undefined;
      this.#forget();
      await this.#testing.cancel();
      return undefined;
    },
  };

  constructor(deps: RoomControllerDeps) {
    this.#deps = deps;
    this.#testing = new DeviceLease({
      lock: deps.lock,
      // The answer to its request tells the page why.
      stopped: () => undefined,
      close: (test) => test.end(),
    });
  }

  async #test(page: Page): Promise<RoomJudgement | NoJudgement> {
    const run: Run = { page, isReady: () => undefined, recorded: undefined };
    this.#run = run;
    this.#holding.hold(page, this.#forget);
    try {
      run.recorded = unwrap(await this.#recordOnce(run));
      if (this.#run !== run) throw stopped();
      this.#tell({ step: 'judging' });
      const judgement = await judgeRoom(run.recorded, this.#giveTurn);
      if (this.#run !== run) throw stopped();
      if (typeof judgement === 'string') this.#forget();
      return judgement;
    } catch (error) {
      if (this.#run === run) this.#forget();
      throw error;
    }
  }

  /** The devices are free afterwards, however it went. */
  async #recordOnce(run: Run): Promise<Outcome<RoomRecordings>> {
    const opened: RoomTest[] = [];
    const begun = await this.#testing.begin(run.page, async () => {
      const phrase = await this.#deps.roomPhrase();
      if (!phrase.ok) return phrase;
      const test = this.#openTest(phrase.value);
      opened.push(test);
      return { ok: true, value: test };
    });
    if (!begun.ok) return begun;
    const [test] = opened;
    if (test === undefined) throw stopped();
    const recorded = await this.#record(test, run);
    await test.end();
    this.#testing.ended(test);
    return recorded;
  }

  #openTest(phrase: Float32Array): RoomTest {
    const { settings, post } = this.#deps;
    return new RoomTest({
      ...this.#deps,
      phrase,
      audio: settings.get().audio,
      onLevel: ({ rmsDb, peakDb, clipped }) => {
        post('microphoneMeter', { kind: 'level', rmsDb, peakDb, clipped });
      },
    });
  }

  async #record(test: RoomTest, run: Run): Promise<Outcome<RoomRecordings>> {
    const opened = await test.opened();
    if (!opened.ok) return opened;
    this.#tell({ step: 'quiet', ms: test.quietMs });
    const quiet = await test.quiet();
    if (!quiet.ok) return quiet;
    this.#tell({ step: 'alone', ms: test.phraseMs });
    const alone = await test.phrase();
    if (!alone.ok) return alone;
    const ready = new Promise<void>((resolve) => {
      run.isReady = resolve;
    });
    this.#tell({ step: 'ready' });
    const waited = await test.until(ready);
    if (!waited.ok) return waited;
    this.#tell({ step: 'over', ms: test.phraseMs });
    const over = await test.phrase();
    if (!over.ok) return over;
    return { ok: true, value: { quiet: quiet.value, alone: alone.value, over: over.value } };
  }

  /** To whoever waits while a room is judged. */
  readonly #giveTurn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#deps.clock.after(0, resolve);
    });

  async #keep(page: Page): Promise<RoomKept> {
    const run = this.#run;
    if (run?.recorded === undefined || run.page !== page) throw gone();
    const place = await this.#deps.chooseRoomPlace();
    if (place === undefined) return { kind: 'unplaced' };
    // It was thrown away while the dialog stood there.
    if (this.#run !== run) throw gone();
    const kept = unwrap(await place(run.recorded));
    if (this.#run === run) this.#forget();
    return kept;
  }

  #tell(step: RoomStep): void {
    this.#deps.post('roomStep', step);
  }

  readonly #forget = (): void => {
    this.#run = undefined;
    this.#holding.release();
  };
}

const stopped = (): RequestRefusedError => new RequestRefusedError(appError('testStopped'));
const gone = (): RequestRefusedError => new RequestRefusedError(appError('ownSoundGone'));
