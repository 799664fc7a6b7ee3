import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { CaptionPatch } from '../../shared/talk/caption-patch.ts';
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

/**
 * What a conversation emits. The events of its sessions come through, with turns counted on from
 * session to session; each of the others is emitted only when it says something new.
 */
export type ConversationEvent =
  | Exclude<SessionEvent, { readonly event: 'listen' }>
  /** The model listens; so many samples of its answer were thrown away since the last time. */
  | { readonly event: 'listen'; readonly yields: boolean; readonly flushedSamples: number }
  | { readonly event: 'talk'; readonly state: TalkState }
  | { readonly event: 'controls'; readonly controls: TalkControls }
  | { readonly event: 'floor'; readonly floor: Floor }
  | { readonly event: 'caption'; readonly patch: CaptionPatch }
  /** Nothing changes of this turn any more: what was heard of it, and what was cut off. */
  | ({ readonly event: 'turnHeard' } & HeardTurn)
  /** Another session has the talk now; so long nothing was sent, and what was said then went first. */
  | { readonly event: 'handedOver'; readonly heldMs: number }
  | { readonly event: 'limits'; readonly left: TalkLimits }
  | { readonly event: 'warning'; readonly warning: TalkWarning }
  /** The person has spoken for some time, and the server only listens; once a talk. */
  | ({ readonly event: 'onlyListens'; readonly dialect: DialectName } & OnlyListening)
  | { readonly event: 'devices'; readonly devices: TalkDeviceStates }
  /** How long something took; once a step, once an interruption. */
  | { readonly event: 'measure'; readonly kind: MeasuredDelay; readonly ms: number };
