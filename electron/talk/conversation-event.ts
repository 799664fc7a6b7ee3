import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { CaptionPatch } from '../../shared/talk/caption-patch.ts';
import type { ComputerSoundState } from '../../shared/talk/computer-sound.ts';
import type {
  Floor,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../../shared/talk/talk-state.ts';
import type { MeasuredDelay, OnlyListening } from '../../shared/talk/talk-stats.ts';
import type { HeardTurn } from './captions/live-captions.ts';
import type { SessionEvent } from './session/session-event.ts';

/** Events of a conversation. Those of its sessions pass through, with turns numbered across sessions. */
export type ConversationEvent =
  | Exclude<SessionEvent, { readonly event: 'listen' }>
  /** The model listens. `flushedSamples` counts the sound of its answer discarded since the last such event. */
  | { readonly event: 'listen'; readonly yields: boolean; readonly flushedSamples: number }
  | { readonly event: 'talk'; readonly state: TalkState }
  | { readonly event: 'controls'; readonly controls: TalkControls }
  | { readonly event: 'floor'; readonly floor: Floor }
  | { readonly event: 'caption'; readonly patch: CaptionPatch }
  /** A turn is final: what was heard of it, and what was cut off. */
  | ({ readonly event: 'turnHeard' } & HeardTurn)
  /** The next session took over. Microphone sound was buffered for `heldMs` and then sent to it. */
  | { readonly event: 'handedOver'; readonly heldMs: number }
  /** The session that begins now knows these results of tools. */
  | { readonly event: 'resultsGiven'; readonly ids: readonly string[] }
  | { readonly event: 'limits'; readonly limits: TalkLimits }
  | { readonly event: 'warning'; readonly warning: TalkWarning }
  /** The user has spoken for some time and the server only listens; at most once per talk. */
  | ({ readonly event: 'onlyListens'; readonly dialect: DialectName } & OnlyListening)
  | { readonly event: 'devices'; readonly devices: TalkDeviceStates }
  | { readonly event: 'computerSound'; readonly state: ComputerSoundState }
  /** A measured delay, one per step or interruption. */
  | { readonly event: 'measure'; readonly kind: MeasuredDelay; readonly ms: number };
