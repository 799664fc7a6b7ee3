import type { FirstSteps } from '../../shared/first-steps.ts';
import type { About, PartName, PartReport } from '../../shared/about.ts';
import type { ShownSettings } from '../../shared/settings/shown-settings.ts';
import type { CaptionedTurn } from '../../shared/talk/captions.ts';
import type { Floor, TalkControls } from '../../shared/talk/talk-controls.ts';
import type { TalkDevices } from '../../shared/talk/talk-devices.ts';
import type { TalkLimits, TalkWarning } from '../../shared/talk/talk-limits.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { quietTalk } from '../../shared/talk/talk-view.ts';
import type { TalkFacts, TalkTrouble } from '../../shared/talk/talk-view.ts';
import type { Told } from '../../shared/why.ts';
import type { WindowsShown } from '../../shared/windows-shown.ts';
import type { ShownFrame } from '../../shared/vision/frame-facts.ts';
import type { Connection } from '../bridge/bridge.ts';
import type { EyeView } from '../camera/eye.ts';
import { firstSeeing } from './seeing-view.ts';
import type { SeeingView } from './seeing-view.ts';
import { firstChat } from './chat-view.ts';
import type { ChatSlice } from './chat-view.ts';

import { usualLook } from './look.ts';
import type { Look } from './look.ts';
import { firstSettingsRoom } from './settings-room.ts';
import type { SettingsRoom } from './settings-room.ts';

export type Place = 'talk' | 'chat' | 'settings';
export type PartView = { readonly state: 'checking' } | { readonly state: 'unknown' } | PartReport;

/** A value with the page's time at which it came, for what is counted down from it. */
export interface Dated<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Everything the screens show; what changes many times a second is not here (see `LevelFeed`). */
export interface View {
  /** Which of the program's windows this page is in. */
  readonly window: 'main' | 'mini';
  /** None where the page is in a browser. */
  readonly windows: WindowsShown | undefined;
  readonly place: Place;
  /** How the page looks until the settings have come. */
  readonly look: Look;
  readonly paletteOpen: boolean;
  /** The list of keys. */
  readonly shortcutsOpen: boolean;
  readonly inspectorOpen: boolean;
  /** As the core has them; none until it has told. */
  readonly settings: ShownSettings | undefined;
  /** What the host said of them before the settings came; it may have said nothing. */
  readonly firstSteps: FirstSteps | undefined;
  readonly room: SettingsRoom;
  readonly about: About | undefined;
  readonly connection: Connection;
  readonly parts: Readonly<Record<PartName, PartView>>;
  /** Why a request failed, or what else went wrong outside a talk. */
  readonly problem: Told | undefined;
  readonly state: Dated<TalkState>;
  readonly facts: TalkFacts | undefined;
  readonly controls: TalkControls;
  readonly floor: Floor;
  readonly devices: TalkDevices;
  readonly limits: Dated<TalkLimits> | undefined;
  readonly warning: TalkWarning | undefined;
  /** The latest ones, each until it is dismissed or the next talk begins. */
  readonly troubles: readonly TalkTrouble[];
  /** Oldest first; the last one is alive. */
  readonly captions: readonly CaptionedTurn[];
  readonly eye: EyeView;
  readonly seeing: SeeingView;
  readonly frozen: boolean;
  readonly sentFrame: ShownFrame | undefined;
  readonly chat: ChatSlice;
}

export const allParts = (state: 'checking' | 'unknown'): View['parts'] => ({
  portaudio: { state },
  sharp: { state },
});

export const firstView: View = {
  window: 'main',
  windows: undefined,
  place: 'talk',
  look: usualLook,
  paletteOpen: false,
  shortcutsOpen: false,
  inspectorOpen: false,
  settings: undefined,
  firstSteps: undefined,
  room: firstSettingsRoom,
  about: undefined,
  connection: 'connected',
  parts: allParts('checking'),
  problem: undefined,
  state: { value: quietTalk.state, at: 0 },
  facts: undefined,
  controls: quietTalk.controls,
  floor: quietTalk.floor,
  devices: quietTalk.devices,
  limits: undefined,
  warning: undefined,
  troubles: [],
  captions: [],
  eye: { state: 'off' },
  seeing: firstSeeing,
  frozen: false,
  sentFrame: undefined,
  chat: firstChat,
};
