import type { OpenReplay } from '../../../shared/replay/replay-view.ts';
import type { ReplayScene } from '../../../shared/replay/replay-scene.ts';
import { embeddedId, embeddedProfile } from '../../../shared/settings/endpoint-profile.ts';
import type { TalkInfo } from '../../../shared/talk/talk-view.ts';
import type { Dated, UiState } from '../../store/ui-state.ts';

/** What the parts of the Talk screen read: taken from the replay, and all else from the page as it is. */
export class ReplayedView {
  #live: UiState | undefined;
  #view: UiState | undefined;
  #state: Dated<ReplayScene['talk']['state']> | undefined;
  #limits: UiState['limits'];
  #told: TalkInfo | undefined;
  #facts: TalkInfo | undefined;

  /** The same as long as the page's is, and parts of it the same as long as they are in the scene. */
  of(live: UiState): UiState {
    if (this.#view !== undefined && live === this.#live) return this.#view;
    this.#live = live;
    this.#view = live.replay.kind === 'open' ? this.#made(live, live.replay) : live;
    return this.#view;
  }

  #made(live: UiState, { scene }: OpenReplay): UiState {
    const { talk, stateAt, limitsAt, warning, troubles } = scene;
    if (this.#state?.value !== talk.state) this.#state = { value: talk.state, at: stateAt };
    if (this.#limits?.value !== talk.limits)
      this.#limits = talk.limits === undefined ? undefined : { value: talk.limits, at: limitsAt };
    return {
      ...live,
      talkState: this.#state,
      limits: this.#limits,
      facts: this.#factsOf(talk.talk),
      controls: talk.controls,
      floor: talk.floor,
      devices: talk.devices,
      keeping: talk.keeping,
      talkCapture: talk.capture,
      captions: talk.captions,
      ownWords: talk.ownWords,
      warning,
      troubles,
    };
  }

  /** Tapes name servers by their addresses; the demonstration has none, and its name is for people. */
  #factsOf(told: TalkInfo | undefined): TalkInfo | undefined {
    if (told === this.#told) return this.#facts;
    this.#told = told;
    this.#facts =
      told !== undefined && demonstrations.has(told.endpoint)
        ? { ...told, endpoint: embeddedProfile.name }
        : told;
    return this.#facts;
  }
}

const demonstrations: ReadonlySet<string> = new Set([embeddedId, 'parley:demonstration']);
