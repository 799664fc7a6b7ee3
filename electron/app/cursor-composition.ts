import { closedQuick, type CursorKey, emptyThread } from '../../shared/cursor/quick-view.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { CursorHandlers } from '../../shared/ipc/cursor-ipc.ts';
import type { AppWindows } from '../../shared/ports/desktop.ts';
import type {
  CursorWindow,
  RegionWindow,
  OtherPrograms,
} from '../../shared/ports/other-programs.ts';
import { Timer } from '../../shared/ports/clock.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { TalkKeyEvent } from '../../shared/talk/global-key.ts';
import { CursorView } from '../cursor/cursor-view.ts';
import { Dictation } from '../cursor/dictation.ts';
import { QuickAsk } from '../cursor/quick-ask.ts';
import { RegionPicker } from '../cursor/region-picker.ts';
import type { AudioComposition } from './audio-composition.ts';
import type { ChatComposition } from './chat-composition.ts';
import type { Machine } from './machine.ts';
import type { MemoryComposition } from './memory-composition.ts';
import type { ServersComposition } from './servers-composition.ts';
import type { VisionComposition } from './vision-composition.ts';

/** The parts that only the desktop host has. */
export interface CursorHost {
  readonly window: CursorWindow;
  readonly programs: OtherPrograms;
  readonly regionWindow: RegionWindow;
  /** A JPEG of the screen on which the pointer is. No side is longer than `maxSide`. */
  readonly captureScreen: (maxSide: number) => Promise<Outcome<Uint8Array>>;
}

interface Parts {
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly audio: AudioComposition;
  readonly chats: ChatComposition;
  readonly memory: Pick<MemoryComposition, 'past' | 'formatPast'>;
  readonly vision: Pick<VisionComposition, 'framePipeline'>;
  /** Calls back with each deleted talk or chat, until the returned function is called. */
  readonly onDeleted: (forget: QuickAsk['forgetDeleted']) => () => void;
  /** Whether a talk that sends pictures is running. */
  readonly isVideoTalk: () => boolean;
  readonly host: CursorHost | undefined;
  readonly windows: AppWindows | undefined;
}

interface SmallWindow {
  readonly ask: QuickAsk;
  readonly dictation: Dictation;
  readonly region: RegionPicker;
  readonly window: Pick<CursorWindow, 'pageReady'>;
  readonly close: () => Promise<void>;
}

/** The model cuts a picture into at most 3 × 3 slices of 448 pixels; a larger picture shows it no more detail. */
const maxSidePixels = 1344;
/** The width of an 8K screen. A smaller limit would scale the screen down before the user cuts out a region. */
const maxScreenPixels = 7680;

/** Prepares the window only after this time, so that Parley's own start is not slowed. */
const prepareAfterMs = 5000;

/** The small window over other programs: questions, actions and dictation. */
export class CursorComposition {
  readonly #parts: Parts;
  readonly #view: CursorView;
  readonly #small: SmallWindow | undefined;
  #soundLoaded = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#view = new CursorView(parts.machine.notices.post);
    this.#small = parts.host && this.#open(parts.host);
  }

  get isAnswering(): boolean {
    return this.#small?.ask.isAnswering ?? false;
  }

  /**
   * Prepares the sound and the window, so that the first key press waits for neither. Only long-running hosts call
   * this.
   */
  begin(): void {
    const { servers, machine, host } = this.#parts;
    const { settings } = servers;
    if (host === undefined) return;
    const timer = new Timer(machine.clock);
    const prepare = (chosen: Settings): void => {
      this.#loadSound(chosen);
      if (hasCursorKey(chosen)) timer.setIfIdle(prepareAfterMs, host.window.prepare);
    };
    prepare(settings.get());
    const stopListening = settings.listen((event) => {
      if (event.kind === 'changed') prepare(event.settings);
    });
    machine.lifetime.add(() => {
      stopListening();
      timer.stop();
    }, 'preparation for the keys of the small window');
  }

  handlers(): CursorHandlers {
    return createCursorHandlers(this.#small);
  }

  readonly handleKey = (key: CursorKey, event: TalkKeyEvent): void => {
    const small = this.#small;
    const { host } = this.#parts;
    if (small === undefined || host === undefined) return;
    if (key === 'dictate') {
      const isAsking = this.#view.state.surface === 'ask';
      small.dictation.handleKey(event, isAsking ? 'question' : 'program');
    } else if (event === 'press' || event === 'toggle') {
      if (key === 'ask') void small.ask.open();
      else if (key === 'look') void this.#look(() => this.#picture(host));
      else if (key === 'region') void this.#look(small.region.pick);
      else void small.ask.openWithAction(key.action);
    }
  };

  /**
   * Loads the sound system, without opening a device, once the user has a dictation key. Loading takes half a second, and
   * after a key press the words spoken in that time would be lost.
   */
  #loadSound({ cursor }: Settings): void {
    if (this.#soundLoaded || !cursor.enabled || cursor.dictateKey === 'none') return;
    this.#soundLoaded = true;
    void this.#parts.audio.driver.devices();
  }

  /** Shows the screen or a part of it to the running talk once. If that fails, the reason appears among the talk's messages. */
  async #look(capture: () => Promise<Outcome<Uint8Array | undefined>>): Promise<void> {
    const { machine, vision, isVideoTalk } = this.#parts;
    const captured = isVideoTalk() ? await capture() : failure('cursorNoTalk');
    const picture = captured.ok ? captured.value : undefined;
    const shown = picture === undefined ? captured : await vision.framePipeline.showOnce(picture);
    if (!shown.ok) machine.notices.post('talkTrouble', shown.error);
  }

  async #picture({
    captureScreen,
  }: Pick<CursorHost, 'captureScreen'>): Promise<Outcome<Uint8Array>> {
    const captured = await captureScreen(maxSidePixels);
    return captured.ok
      ? this.#parts.machine.pictures.prepare(captured.value, maxSidePixels)
      : captured;
  }

  #open(host: CursorHost): SmallWindow {
    const { window } = host;
    const { machine, servers, audio, chats, memory: known, windows } = this.#parts;
    const { clock, wallClock, random, lifetime, notices } = machine;
    const { settings, texts } = servers;
    const view = this.#view;
    const programs: OtherPrograms = {
      ...host.programs,
      clipboard: async () => {
        const content = await host.programs.clipboard();
        if (content.kind !== 'picture') return content;
        const fitted = await machine.pictures.prepare(content.file, maxSidePixels);
        return fitted.ok ? { kind: 'picture', file: fitted.value } : { kind: 'empty' };
      },
    };
    const { openSession, player, voice, readyVoice, memory, tools, contextTokens } = chats.shared;
    const region = new RegionPicker({
      window: host.regionWindow,
      captureScreen: () => host.captureScreen(maxScreenPixels),
      frames: machine.frames,
    });
    const ask = new QuickAsk({
      clock,
      wallClock,
      random,
      view,
      window,
      programs,
      settings,
      openSession,
      player,
      voice,
      readyVoice,
      tools,
      contextTokens,
      prompts: texts.cursorPrompts,
      memory,
      findPast: known.past.find,
      formatPast: known.formatPast,
      captureScreen: () => this.#picture(host),
      captureRegion: region.pick,
      adopt: async (chat, media, retryId) => {
        const controller = await chats.opener.controller();
        controller.adopt(chat, media);
        if (retryId !== undefined) controller.chat.retry(retryId);
        windows?.showMain();
        notices.post('placeWanted', { screen: 'chat' });
      },
      post: notices.post,
      onClosed: () => dictation.onQuestionClosed(),
    });
    const dictation = new Dictation({
      clock,
      view,
      window,
      programs,
      settings: servers.soundSettings,
      openSession,
      devices: audio.devices,
      lock: audio.lock,
      prompts: texts.dictationPrompts,
      post: notices.post,
    });
    const close = async (): Promise<void> => {
      await dictation.cancel();
      await ask.close();
    };
    window.onClosed(() => void close());
    lifetime.add(region.cancel, 'region picker');
    lifetime.add(async () => {
      await Promise.all([dictation.close(), ask.end()]);
    }, 'small window');
    lifetime.add(
      settings.listen((event) => {
        if (event.kind === 'changed') void ask.applySettings();
      }),
      'settings listener: small window',
    );
    lifetime.add(this.#parts.onDeleted(ask.forgetDeleted), 'history listener: small window');
    return { ask, dictation, region, window, close };
  }
}

function hasCursorKey({ cursor }: Settings): boolean {
  const { enabled, askKey, dictateKey, actions } = cursor;
  return (
    enabled && [askKey, dictateKey, ...actions.map(({ key }) => key)].some((key) => key !== 'none')
  );
}

/** Without a small window, `quick` and `findQuickPast` return empty values; every other request fails. */
function createCursorHandlers(small: SmallWindow | undefined): CursorHandlers {
  type Result = Outcome<undefined> | void;
  const act =
    <Input>(handle: (own: SmallWindow, input: Input) => Result | Promise<Result>) =>
    (input: Input): Result | Promise<Result> =>
      small === undefined ? failure('cursorElsewhere') : handle(small, input);
  /** Refuses a page that the user has not just used, because it would get the clipboard or a picture of the screen. */
  const ifUsed =
    <Input>(run: (input: Input) => Result | Promise<Result>) =>
    (input: Input, page: Parameters<CursorHandlers['openQuick']>[1]): Result | Promise<Result> =>
      page.hasRecentInput() ? run(input) : failure('screenUnasked');
  return {
    quick: () => small?.ask.snapshot() ?? { state: closedQuick, conversation: emptyThread },
    openQuick: ifUsed(act(({ ask }, { text }) => ask.open(text))),
    quickReady: act(({ window }) => window.pageReady()),
    closeQuick: act(({ close }) => close()),
    includeOffer: act(({ ask }, { kind, included }) => ask.include(kind, included)),
    captureScreen: ifUsed(act(({ ask }) => ask.captureScreen())),
    captureRegion: ifUsed(act(({ ask }) => ask.captureRegion())),
    regionScreen: () => small?.region.screen() ?? failure('cursorElsewhere'),
    showRegion: act(({ region }) => region.show()),
    takeRegion: act(({ region }, { area }) => region.take(area)),
    cancelRegion: act(({ region }) => region.cancel()),
    askQuick: act(({ ask }, { text, leaveOut }) => ask.ask(text, leaveOut)),
    findQuickPast: ({ text }) => small?.ask.findPast(text) ?? [],
    forgetQuickPassage: act(({ ask }, { turn, place }) => ask.forgetPassage(turn, place)),
    runAction: act(({ ask }, { id }) => ask.runAction(id)),
    decideQuickCall: act(({ ask }, { call, decision }) => ask.decideCall(call, decision)),
    stopQuick: act(({ ask }) => ask.stop()),
    waitForServer: act(({ ask, dictation }, { of, wait }) =>
      (of === 'answer' ? ask : dictation).waitForServer(wait),
    ),
    retryQuick: act(({ ask }, { turn }) => ask.retry(turn)),
    copyQuick: act(({ ask }, { turn }) => ask.copy(turn)),
    insertQuick: act(({ ask }, { turn }) => ask.insert(turn)),
    speakQuick: act(({ ask }, { turn }) => ask.play(turn)),
    silenceQuick: act(({ ask }) => ask.silence()),
    continueInChat: act(({ ask }) => ask.continueInChat()),
    beginDictation: act(({ dictation }, { to }) => dictation.begin(to, 'tap')),
    endDictation: act(({ dictation }) => dictation.end()),
    cancelDictation: act(({ dictation }) => dictation.cancel()),
  };
}
