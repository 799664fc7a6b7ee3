import type { DuplexMode } from '../../shared/protocol/names.ts';
import type { LearnedPace } from '../audio/learned-pace.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { openConversation } from '../conversation/open-conversation.ts';
import type { TalkDeskNeeds, TalkPlan, TalkServer } from './talk-desk-needs.ts';
import { TalkDevices } from './talk-devices.ts';

/** A talk with what is its own. */
export interface Talking {
  readonly conversation: Conversation;
  readonly devices: TalkDevices;
  readonly mode: DuplexMode;
  readonly chunkMs: number;
  readonly server: TalkServer;
}

/** Joins a conversation with devices; those are opened when they are woken. */
export function openTalk(
  { mode, chunkMs, settings }: TalkPlan,
  server: TalkServer,
  pace: LearnedPace | undefined,
  needs: TalkDeskNeeds,
  tell: (event: ConversationEvent, talk: Talking) => void,
): Talking {
  const { talking, audio } = needs.settings.get();
  const devices: TalkDevices = new TalkDevices(audio, {
    ...needs,
    hear: (block) => {
      conversation.hear(block);
    },
    news: (use, told) => {
      conversation.deviceNews(use, told);
    },
    level: (level) => {
      needs.post('level', level);
    },
  });
  // What is told while the conversation is still being opened is about one that nobody has yet.
  const early: ConversationEvent[] = [];
  let hear = (event: ConversationEvent): void => {
    early.push(event);
  };
  const conversation: Conversation = openConversation(
    {
      mode,
      settings,
      dialect: server.dialect,
      chunkMs,
      talking: talking.mode,
      yielding: talking.yielding,
      overlap: needs.overlap(),
      pace,
      locale: needs.language(),
    },
    {
      clock: needs.clock,
      random: needs.random,
      wallNow: needs.wallNow,
      log: (line) => {
        needs.log.write('info', line);
      },
      openSession: server.openSession,
      speaker: devices.speaker,
      played: devices.played,
      microphoneLatencyMs: devices.latencyMs,
      tell: (event) => {
        hear(event);
      },
    },
  );
  const talk: Talking = { conversation, devices, mode, chunkMs, server };
  hear = (event) => {
    tell(event, talk);
  };
  for (const event of early) tell(event, talk);
  return talk;
}
