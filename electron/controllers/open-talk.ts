import type { Outcome } from '../ports/outcome.ts';
import type { DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type { ServerPace } from '../sound/playback/server-pace.ts';
import { beginsMuted } from '../../shared/settings/settings-groups.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import { withConfig } from '../../shared/settings/config-fields.ts';
import { soundChoiceName } from '../../shared/sound/sound-choice-name.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { ConversationOptions, RecordTalk } from '../conversation/conversation.ts';
import { ActiveTalk } from './active-talk.ts';
import type { TalkControllerDeps, TalkPlan, TalkServer } from './talk-controller-deps.ts';
import { heardLevels } from './heard-levels.ts';
import { TalkSoundDevices } from './talk-sound-devices.ts';

/** Joins a conversation with devices; those are opened when they are woken. */
export function openTalk(
  { mode, chunkMs, settings, carryOver, earlier }: TalkPlan & Pick<ConversationOptions, 'earlier'>,
  server: TalkServer,
  pace: ServerPace | undefined,
  deps: TalkControllerDeps,
  emit: (event: ConversationEvent, talk: ActiveTalk) => void,
): ActiveTalk {
  const { talking, audio } = deps.settings.get();
  const devices = new TalkSoundDevices(audio, {
    ...deps,
    onLevel: heardLevels((level) => {
      deps.post('level', level);
    }),
  });
  // What is told while the conversation is still being opened is about one that nobody has yet.
  const early: ConversationEvent[] = [];
  let hear = (event: ConversationEvent): void => {
    early.push(event);
  };
  const conversation = deps.openConversation(
    {
      mode,
      settings: {
        ...settings,
        generation: withConfig(settings.generation, server.traits?.config),
      },
      dialect: server.dialect,
      ...deps.limits.of({ mode, address: server.address }, server.traits),
      chunkMs,
      talking: talking.mode,
      muted: beginsMuted(talking),
      yielding: talking.yielding,
      handsOver: talking.longTalks === 'handOver',
      bargeIn: deps.overlap(),
      pace,
      answers: talking.answers,
      carryOver,
      earlier,
    },
    {
      openSession: server.openSession,
      shorten: server.shorten,
      speaker: devices.speaker,
      played: devices.played,
      said: deps.ownWords.said,
      microphone: devices.microphone,
      record: server.record && { ...server.record, devices: namesOf(audio) },
      emit: (event) => {
        hear(event);
      },
    },
  );
  const { framePipeline, clock, limits } = deps;
  const talk = new ActiveTalk(
    { conversation, devices, mode, server },
    {
      clock,
      framePipeline,
      emit,
      memory: (dialect) => limits.memoryOf(server.address, server.traits, dialect),
    },
  );
  hear = (event) => {
    talk.onEvent(event);
  };
  for (const event of early) talk.onEvent(event);
  return talk;
}

/** With what the next talk is held, as everything is set now. */
export async function planTalk(
  mode: DuplexMode,
  deps: Pick<TalkControllerDeps, 'sessionSettings' | 'settings' | 'carryOverMessages'>,
): Promise<Outcome<TalkPlan>> {
  const settings = await deps.sessionSettings();
  if (!settings.ok) return settings;
  const { chunkMs } = deps.settings.get().assistant.generation;
  const carryOver = await deps.carryOverMessages();
  return { ok: true, value: { mode, chunkMs, settings: settings.value, carryOver } };
}

function namesOf({ microphone, speaker }: AudioSettings): RecordTalk['devices'] {
  return { microphone: soundChoiceName(microphone, []), speaker: soundChoiceName(speaker, []) };
}
