import type { AppError } from '../../shared/errors/app-error.ts';
import { answerSettingsOf } from '../../shared/talk/only-listening.ts';
import type { TalkInfo, TalkView } from '../../shared/talk/talk-view.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { ActiveTalk } from './active-talk.ts';
import { logTalkStats } from './sound-line.ts';
import type { TalkControllerDeps, TalkServer } from './talk-controller-deps.ts';
import { viewOfCutTalk } from './talk-journal.ts';
import type { CutTalk } from './talk-journal.ts';
import { TalkPublisher } from './talk-publisher.ts';
import { TalkStatsPublisher } from './talk-stats-publisher.ts';

type Deps = Pick<
  TalkControllerDeps,
  | 'post'
  | 'log'
  | 'clock'
  | 'framePipeline'
  | 'journal'
  | 'keeper'
  | 'limits'
  | 'ownWords'
  | 'paces'
  | 'timeOfDay'
  | 'stampOf'
>;

interface AtStart {
  /** Voices that are set, and not there. */
  readonly missing: readonly AppError[];
  /** The talk that this one goes on with. */
  readonly earlier: CutTalk | undefined;
}

/**
 * What is told of the talks and kept of them: notices for the pages, the journal that a crash leaves, the log's lines
 * and the server's pace.
 */
export class TalkReporter {
  readonly #deps: Deps;
  readonly #publisher: TalkPublisher;
  readonly #stats: TalkStatsPublisher;
  #cut: CutTalk | undefined;
  /** Since when the talk is live, over all its sessions; one that is gone on with begins anew. */
  #liveAt: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#publisher = new TalkPublisher(deps.post);
    this.#stats = new TalkStatsPublisher(deps.post);
    deps.keeper.listen(this.#publisher.publishKeeping);
    deps.framePipeline.listen(({ open }) => {
      this.#publisher.publishCapture(open);
    });
    deps.ownWords.listen({
      phrase: this.#publisher.publishPhrase,
      status: this.#publisher.publishOwnWords,
    });
  }

  get view(): TalkView {
    const liveMs = this.#liveAt && this.#deps.clock.now() - this.#liveAt;
    return { ...this.#publisher.view, liveMs };
  }

  /** The talk that a crash has cut, while it is what the pages show. */
  get cut(): CutTalk | undefined {
    return this.#cut;
  }

  showCut(cut: CutTalk): void {
    this.#cut = cut;
    this.#publisher.publishEarlier(viewOfCutTalk(cut, this.#deps.timeOfDay));
    this.#deps.keeper.restore(cut, this.#deps.stampOf(cut.savedAt));
  }

  /** Another talk takes its place, or Parley is closed. */
  dropCut(): void {
    if (this.#cut !== undefined) this.#deps.journal.dropLeft();
    this.#cut = undefined;
  }

  began(talk: TalkInfo, server: TalkServer, { missing, earlier }: AtStart): void {
    this.#publisher.publishBegan(talk);
    this.#deps.keeper.begin({ ...server, id: server.stamp, mode: talk.mode });
    this.#deps.ownWords.begin(server);
    for (const error of missing) this.trouble(error);
    if (earlier !== undefined) this.#publisher.publishEarlier({ captions: earlier.captions });
    this.dropCut();
  }

  trouble(error: AppError): void {
    this.#publisher.publishTrouble(error);
  }

  readonly onEvent = (event: ConversationEvent, talk: ActiveTalk): void => {
    this.#publisher.publish(event);
    if (event.event === 'onlyListens') {
      const { dialect, spokenSeconds, steps } = event;
      const { address, traits } = talk.server;
      // The demonstration answers whatever is set.
      const settings = address === undefined ? [] : answerSettingsOf(dialect, traits?.config);
      this.#deps.post('talkOnlyListens', { spokenSeconds, steps, settings });
    }
    if (event.event === 'talk') this.#count(event.state);
    this.#deps.keeper.hear(event);
    this.#deps.ownWords.hear(event);
    this.#deps.limits.hear(event, { mode: talk.mode, address: talk.server.address });
    if (event.event === 'talk' || event.event === 'caption') this.#deps.journal.changed(this.view);
    this.#stats.publish(event, talk.conversation, {
      echo: talk.devices.microphone.counters()?.echo,
      memory: talk.vision.spending.view,
    });
    if (event.event === 'talk' && event.state.phase === 'ended') this.#ended(talk);
  };

  #count({ phase }: TalkView['state']): void {
    if (phase === 'connecting') this.#liveAt = undefined;
    if (phase === 'live') this.#liveAt ??= this.#deps.clock.now();
  }

  #ended({ conversation, devices, server, vision }: ActiveTalk): void {
    const { pace, playout } = conversation.stats();
    logTalkStats(this.#deps.log, conversation.latency(), {
      playout,
      microphone: devices.microphone.counters(),
      speaker: devices.speaker.counters(),
    });
    this.#deps.limits.learnMemory(server.address, {
      restPerSecond: vision.spending.restPerSecond,
      pictureScale: this.#deps.framePipeline.pictureScale,
    });
    if (pace !== undefined) this.#deps.paces.learned(server.address, pace);
  }
}
