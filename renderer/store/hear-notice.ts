import { patchCaption } from '../../shared/talk/captions.ts';
import type { CaptionPatch, CaptionedTurn } from '../../shared/talk/captions.ts';
import type { TalkTrouble, TalkView } from '../../shared/talk/talk-view.ts';
import type { BridgeNotice } from '../bridge/bridge.ts';
import { withNote } from './chat-view.ts';
import { hearChatPatch, hearClip } from './hear-chat.ts';
import { hearDevices, hearMeter, hearPreview, hearTake, hearVoices } from './hear-settings.ts';
import type { View } from './view.ts';

const mostTroubles = 3;

type Hear<Name extends BridgeNotice['name']> = (
  view: View,
  payload: Extract<BridgeNotice, { name: Name }>['payload'],
  now: number,
) => Partial<View>;

/** What each notice changes of the view; those that are not here are of no concern to it. */
const changes: { readonly [Name in BridgeNotice['name']]?: Hear<Name> } = {
  settingsChanged: (_view, settings) => ({ settings }),
  settingsProblem: (_view, problem) => ({ problem }),
  microphoneMeter: hearMeter,
  soundDevicesChanged: hearDevices,
  voiceRecording: hearTake,
  voicesChanged: hearVoices,
  voicePreview: hearPreview,
  partChecked: ({ parts }, report) => ({ parts: { ...parts, [report.part]: report } }),
  // Told once more when the server has taken the session.
  talkBegan: (_view, facts) =>
    facts.session === undefined ? { ...beforeAnything, facts } : { facts },
  // What was warned of before belongs to a session that is over.
  talkState: (_view, value, at) =>
    value.phase === 'live'
      ? { state: { value, at }, warning: undefined }
      : { state: { value, at } },
  talkControls: (_view, controls) => ({ controls }),
  floor: (_view, floor) => ({ floor }),
  caption: ({ captions }, patch) => ({ captions: patchTurns(captions, patch) }),
  talkLimits: (_view, value, at) => ({ limits: { value, at } }),
  talkWarning: (_view, warning) => ({ warning }),
  talkDevices: (_view, devices) => ({ devices }),
  talkTrouble: ({ troubles }, trouble) => ({ troubles: withTrouble(troubles, trouble) }),
  windowsShown: (_view, windows) => ({ windows }),
  frameSent: (_view, sentFrame) => ({ sentFrame }),
  chatPatch: ({ chat }, patch) => ({ chat: hearChatPatch(chat, patch) }),
  chatList: ({ chat }, list) => ({ chat: { ...chat, list } }),
  chatProblem: ({ chat }, told) => ({
    chat: { ...chat, notes: withNote(chat.notes, { kind: 'said', ...told }) },
  }),
  clipRecording: ({ chat }, news) => ({ chat: hearClip(chat, news) }),
};

export function hearNotice(
  view: View,
  { name, payload }: BridgeNotice,
  now: number,
): Partial<View> | undefined {
  const hear = changes[name] as Hear<typeof name> | undefined;
  return hear?.(view, payload, now);
}

/** All of a talk, for a page that comes in the middle of it. */
export function hearTalk(talk: TalkView, now: number): Partial<View> {
  return {
    state: { value: talk.state, at: now },
    facts: talk.talk,
    controls: talk.controls,
    floor: talk.floor,
    devices: talk.devices,
    limits: talk.limits === undefined ? undefined : { value: talk.limits, at: now },
    captions: talk.captions,
  };
}

const beforeAnything: Partial<View> = {
  captions: [],
  limits: undefined,
  warning: undefined,
  troubles: [],
  sentFrame: undefined,
  problem: undefined,
};

/** Nearly always it is the last one that changes; what is before it stays the very same. */
function patchTurns(
  turns: readonly CaptionedTurn[],
  patch: CaptionPatch,
): readonly CaptionedTurn[] {
  const at = turns.findLastIndex(({ turn }) => turn === patch.turn);
  const patched = patchCaption(turns[at], patch);
  return at === -1 ? [...turns, patched] : turns.with(at, patched);
}

function withTrouble(
  troubles: readonly TalkTrouble[],
  trouble: TalkTrouble,
): readonly TalkTrouble[] {
  const others = troubles.filter(({ sentence }) => sentence !== trouble.sentence);
  return [...others, trouble].slice(-mostTroubles);
}
