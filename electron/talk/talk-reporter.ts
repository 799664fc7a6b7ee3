import type { AppError } from '../../shared/errors/app-error.ts';
import type { NoticeName, Notices, PostNotice } from '../../shared/ipc/contract.ts';
import type { Log } from '../../shared/ports/log.ts';
import {
  idleTalkView,
  noSpokenTurns,
  updateSpokenTurns,
  withTask,
  type TalkStorageState,
  type TalkInfo,
  type TalkView,
  type ToolTask,
  type ComputerSoundState,
  captionAsPatch,
  patchCaption,
  withPhrase,
  type UserPhrase,
  type UserTranscriptStatus,
} from '../../shared/talk/talk-view.ts';
import {
  availableAnswerSettings,
  type LatencySummary,
  type TalkStep,
} from '../../shared/talk/talk-stats.ts';
import type { OpenCapture } from '../../shared/vision/vision-options.ts';
import type { MicrophoneCounters } from '../audio/capture/microphone.ts';
import type { PlayoutStats } from '../audio/playback/playback.ts';
import type { SpeakerCounters } from '../audio/playback/speaker.ts';
import type { ActiveTalk, TalkControllerDeps, TalkServer } from './active-talk.ts';
import type { ConversationEvent, ConversationStats } from './conversation-options.ts';
import { latencyLine, serverStepMs } from './policies/latency-stats.ts';
import { type CrashedTalk, crashedTalkView } from './talk-journal.ts';

interface StartFacts {
  /** Errors for voices that the settings name and that do not exist. */
  readonly missing: readonly AppError[];
  /** The talk that this one continues. */
  readonly earlier: CrashedTalk | undefined;
}

/** Reports talks: notices for pages, the crash journal, log lines and the server's learned values. */
export class TalkReporter {
  readonly #deps: TalkControllerDeps;
  readonly #publisher: TalkPublisher;
  #crashed: CrashedTalk | undefined;
  /** When the talk became live, over all its sessions; a continuation restarts it. */
  #liveAt: number | undefined;
  #spoken = noSpokenTurns;

  constructor(deps: TalkControllerDeps) {
    this.#deps = deps;
    this.#publisher = new TalkPublisher(deps.post);
    deps.talkRecorder.listen(this.#publisher.publishStorage);
    deps.framePipeline.listen(({ open }) => this.#publisher.publishCapture(open));
    deps.userTranscript.listen({
      onPhrase: (phrase) => {
        this.#publisher.publishPhrase(phrase);
        deps.tasks?.onPhrase(phrase);
      },
      onStatus: this.#publisher.publishUserTranscript,
    });
    deps.tasks?.listen(this.#publisher.publishTask);
  }

  get view(): TalkView {
    const since = this.#liveAt;
    const { view } = this.#publisher;
    if (since === undefined) return { ...view, liveMs: undefined, spoken: this.#spoken.turns };
    const now = this.#deps.clock.now();
    // Also counts what the user is saying; a page that opens now continues that turn.
    const spoken = updateSpokenTurns(this.#spoken, 'nobody', undefined, now).turns;
    return { ...view, liveMs: now - since, spoken };
  }

  /** The talk cut by a crash, while pages show it. */
  get crashed(): CrashedTalk | undefined {
    return this.#crashed;
  }

  showCrashed(talk: CrashedTalk): void {
    this.#crashed = talk;
    this.#publisher.publishEarlier(crashedTalkView(talk, this.#deps.timeOfDay));
    this.#deps.talkRecorder.restore(talk, this.#deps.formatStamp(talk.savedAt));
  }

  /** Call when another talk begins or Parley closes; the talk cut by a crash can then not be continued. */
  dropCrashed(): void {
    if (this.#crashed !== undefined) this.#deps.journal.removeCrashedTalk();
    this.#crashed = undefined;
  }

  reportStart(talk: TalkInfo, server: TalkServer, { missing, earlier }: StartFacts): void {
    this.#publisher.publishBegan(talk);
    this.#spoken = noSpokenTurns;
    const isSupported = this.#deps.openComputerSound !== undefined;
    this.#publisher.publishComputerSound({ kind: isSupported ? 'off' : 'unsupported' });
    this.#deps.talkRecorder.begin({ ...server, id: server.stamp, mode: talk.mode });
    this.#deps.userTranscript.begin(server);
    this.#deps.tasks?.begin(server);
    for (const error of missing) this.reportTrouble(error);
    if (earlier !== undefined) this.#publisher.publishEarlier({ captions: earlier.captions });
    this.dropCrashed();
  }

  reportTrouble(error: AppError): void {
    this.#deps.post('talkTrouble', error);
  }

  readonly onEvent = (event: ConversationEvent, talk: ActiveTalk): void => {
    this.#publisher.publish(event);
    if (event.event === 'onlyListens') {
      const { dialect, spokenSeconds, steps } = event;
      const { address, traits } = talk.server;
      // The demonstration answers regardless of the settings.
      const settings =
        address === undefined ? [] : availableAnswerSettings(dialect, traits?.config);
      this.#deps.post('talkOnlyListens', { spokenSeconds, steps, settings });
    }
    if (event.event === 'floor') {
      const newest = this.#publisher.view.captions.at(-1)?.turn;
      const now = this.#deps.clock.now();
      this.#spoken = updateSpokenTurns(this.#spoken, event.floor, newest, now);
    }
    if (event.event === 'talk') {
      this.#trackLiveTime(event.state);
      this.#deps.tasks?.onTalkState(event.state);
    }
    if (event.event === 'resultsGiven') this.#deps.tasks?.onResultsGiven(event.ids);
    if (event.event === 'session') this.#deps.tasks?.onSession(event.callsTools === true);
    if (event.event === 'toolCall') this.#deps.tasks?.onToolCall(event.call, event.ask);
    this.#deps.talkRecorder.onEvent(event);
    this.#deps.userTranscript.onEvent(event);
    this.#deps.limits.onEvent(event, { mode: talk.mode, address: talk.server.address });
    if (event.event === 'talk' || event.event === 'caption')
      this.#deps.journal.onViewChange(this.#publisher.view);
    if (event.event === 'metrics')
      this.#publisher.publishStep(event, talk.conversation.stats(), {
        echo: talk.devices.microphone.counters()?.echo,
        context: talk.vision.contextUsage.view,
      });
    if (event.event === 'talk' && event.state.phase === 'ended') this.#onTalkEnd(talk);
  };

  #trackLiveTime({ phase }: TalkView['state']): void {
    // A lost session may be followed by a wait in the queue, in which the talk is `connecting` again.
    if (phase === 'ended') this.#liveAt = undefined;
    if (phase === 'live') this.#liveAt ??= this.#deps.clock.now();
  }

  #onTalkEnd({ conversation, devices, server, vision }: ActiveTalk): void {
    const { pace, playout } = conversation.stats();
    logTalkStats(this.#deps.log, conversation.latency(), {
      playout,
      microphone: devices.microphone.counters(),
      speaker: devices.speaker.counters(),
    });
    this.#deps.limits.learnCosts(server.address, {
      otherTokensPerSecond: vision.contextUsage.otherTokensPerSecond,
      pictureScale: this.#deps.framePipeline.pictureScale,
    });
    if (pace !== undefined) this.#deps.paces.remember(server, pace);
  }
}

/** A page that opens during the talk gets only this many turns and phrases. */
const maxTurns = 50;
const maxPhrases = 100;

/** Posts a conversation's events as notices, and holds the current view for pages that open late. */
export class TalkPublisher {
  readonly #post: PostNotice;
  /** The next turn belongs to another session. */
  #isNewSession = false;
  #view = idleTalkView;
  /** The newest delay of each kind since the model's last step. */
  #latest: TalkStep['latest'] = {};

  constructor(post: PostNotice) {
    this.#post = post;
  }

  get view(): TalkView {
    return this.#view;
  }

  publishBegan(talk: TalkInfo): void {
    const { storage, capture } = this.#view;
    this.#isNewSession = false;
    this.#view = { ...idleTalkView, storage, capture, talk };
    this.#post('talkBegan', talk);
  }

  /** Shows a talk of an earlier run; in the next talk its words precede the new ones. */
  publishEarlier(view: Partial<TalkView>): void {
    const { talk, captions = [], state } = view;
    if (talk !== undefined) this.publishBegan(talk);
    for (const caption of captions) this.#publishCaption(captionAsPatch(caption));
    if (state !== undefined) this.publish({ event: 'talk', state });
  }

  readonly publishStorage = (storage: TalkStorageState): void =>
    this.#show({ storage }, 'talkStorage', storage);

  readonly publishCapture = (capture: OpenCapture): void => {
    if (capture === this.#view.capture) return;
    this.#show({ capture }, 'talkCapture', capture);
  };

  readonly publishComputerSound = (computerSound: ComputerSoundState): void =>
    this.#show({ computerSound }, 'computerSound', computerSound);

  readonly publishPhrase = (phrase: UserPhrase): void => {
    const { userTranscript } = this.#view;
    const phrases = withPhrase(userTranscript.phrases, phrase).slice(-maxPhrases);
    this.#show({ userTranscript: { ...userTranscript, phrases } }, 'userPhrase', phrase);
  };

  readonly publishUserTranscript = (status: UserTranscriptStatus): void =>
    this.#show(
      { userTranscript: { ...this.#view.userTranscript, status } },
      'userTranscriptStatus',
      status,
    );

  readonly publishTask = (task: ToolTask): void =>
    this.#show({ tasks: withTask(this.#view.tasks, task) }, 'toolTask', task);

  readonly publish = (event: ConversationEvent): void => {
    switch (event.event) {
      case 'talk':
        return this.#show({ state: event.state }, 'talkState', event.state);
      case 'controls':
        return this.#show({ controls: event.controls }, 'talkControls', event.controls);
      case 'floor':
        return this.#show({ floor: event.floor }, 'floor', event.floor);
      case 'devices':
        return this.#show({ devices: event.devices }, 'talkDevices', event.devices);
      case 'computerSound':
        return this.publishComputerSound(event.state);
      case 'limits':
        return this.#show({ limits: event.limits }, 'talkLimits', event.limits);
      case 'warning':
        return this.#post('talkWarning', event.warning);
      case 'handedOver':
        this.#isNewSession = true;
        break;
      case 'caption':
        return this.#publishCaption(event.patch);
      case 'session':
        return this.#publishSession(event);
      case 'error':
        if (!event.fatal) this.#post('talkTrouble', event.error);
        break;
      case 'measure':
        this.#latest = { ...this.#latest, [event.kind]: event.ms };
        break;
      case 'state':
      case 'queue':
      case 'sent':
      case 'dropped':
      case 'text':
      case 'audio':
      case 'turnEnded':
      case 'listen':
      case 'turnHeard':
      case 'metrics':
      case 'done':
      case 'unknown':
      case 'onlyListens':
      case 'resultsGiven':
      case 'toolCall':
      case 'closed':
    }
  };

  publishStep(
    { roundTripMs, metrics }: Extract<ConversationEvent, { event: 'metrics' }>,
    { playout, unanswered }: Pick<ConversationStats, 'playout' | 'unanswered'>,
    { echo, context }: Pick<TalkStep, 'echo' | 'context'> = {},
  ): void {
    const buffer = playout && { bufferMs: playout.bufferMs, targetMs: playout.targetMs };
    const serverMs = serverStepMs(metrics);
    this.#post('talkStep', {
      buffer,
      ...(echo !== undefined && { echo }),
      ...(context !== undefined && { context }),
      unanswered,
      latest: {
        ...this.#latest,
        ...(roundTripMs !== undefined && { roundTrip: roundTripMs }),
        ...(serverMs !== undefined && { serverStep: serverMs }),
      },
    });
    this.#latest = {};
  }

  /** Posts a notice and updates the view for pages that open later. */
  #show<Name extends NoticeName>(
    part: Partial<TalkView>,
    name: Name,
    payload: Notices[Name],
  ): void {
    this.#view = { ...this.#view, ...part };
    this.#post(name, payload);
  }

  #publishCaption(update: Notices['caption']): void {
    const { captions, computerSound } = this.#view;
    const previous = captions.find(({ turn }) => turn === update.turn);
    const startsSession = previous === undefined && this.#isNewSession;
    if (startsSession) this.#isNewSession = false;
    const hearsComputer = previous === undefined && computerSound.kind === 'on';
    const patch = {
      ...update,
      ...(startsSession && { startsSession: true as const }),
      ...(hearsComputer && { hearsComputer: true as const }),
    };
    const patched = patchCaption(previous, patch);
    const turns =
      previous === undefined
        ? [...captions.slice(1 - maxTurns), patched]
        : captions.map((each) => (each === previous ? patched : each));
    this.#show({ captions: turns }, 'caption', patch);
  }

  #publishSession({ id, dialect }: Extract<ConversationEvent, { event: 'session' }>): void {
    const { talk } = this.#view;
    if (talk === undefined) return;
    const facts = { ...talk, session: { id, dialect } };
    this.#show({ talk: facts }, 'talkBegan', facts);
  }
}

interface TalkSoundStats {
  readonly microphone: MicrophoneCounters | undefined;
  readonly speaker: SpeakerCounters;
  readonly playout: PlayoutStats | undefined;
}

/** Logs the stats at the end of a talk, because a short talk ends before the first periodic log line. */
function logTalkStats(log: Log, summary: LatencySummary, sound: TalkSoundStats): void {
  if (summary.steps.roundTrip.count === 0) return;
  log.write('info', latencyLine(summary));
  log.write('info', soundLine(sound));
}

/** One log line about a talk's sound, to find the causes of crackling and gaps. */
function soundLine({ microphone, speaker, playout }: TalkSoundStats): string {
  return [
    microphone === undefined ? 'no microphone' : microphonePart(microphone),
    `speaker ${speaker.devices} opened, latency ${formatMs(speaker.latencyMs)} ms, ` +
      `${speaker.underruns} underruns, ${speaker.repaired} samples repaired`,
    ...(playout === undefined ? [] : [playoutPart(playout)]),
  ].join('; ');
}

function microphonePart(counters: MicrophoneCounters): string {
  const { captured, lost, repaired, silenced, devices, latencyMs, echo } = counters;
  return (
    `microphone ${devices} opened, latency ${formatMs(latencyMs)} ms, ${captured} samples captured, ` +
    `${lost} lost, ${repaired} repaired, ${silenced} of silence, echo ${echo}`
  );
}

function playoutPart(stats: PlayoutStats): string {
  const { concealedSamples, concealmentEvents, insertedSamples, gapsOver20Ms, startDelayMs } =
    stats;
  return (
    `answer concealed ${concealmentEvents} times (${concealedSamples} samples), ` +
    `${insertedSamples} samples inserted, ${gapsOver20Ms} gaps` +
    (startDelayMs === undefined ? '' : `, last begun after ${formatMs(startDelayMs)} ms`)
  );
}

function formatMs(ms: number): string {
  return ms.toFixed(0);
}
