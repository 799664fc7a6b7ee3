import { afterEach } from 'vitest';
import { ClockedPlayback } from '../../../../electron/audio/playback/playback.ts';
import { AnswerPlayer } from '../../../../electron/chat/answer-player.ts';
import {
  type ChatController,
  type ChatControllerDeps,
  openChatController,
} from '../../../../electron/chat/chat-controller.ts';
import type { ChatLibrary } from '../../../../electron/chat/chat-library.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { openSession } from '../../../../electron/talk/session/session.ts';
import type { ChatPatch, AssistantTurn } from '../../../../shared/chat/chat-thread.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import type { ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { FakeChatStore, chatIndexFromStore } from '../../../fakes/fake-chat-store.ts';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { readPlain, writePlain } from '../../../fakes/plain-codec.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { setGatewayScene } from '../gateway/gateway-client.ts';

/** The initial settings, with the server's own voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

type News = ChatPatch | Parameters<ConstructorParameters<typeof ChatLibrary>[1]['emit']>[0];

export interface ChatControllerHarness {
  readonly controller: ChatController;
  readonly event: readonly News[];
  readonly store: FakeChatStore;
  /** Advances the clock, and lets promises settle in between. */
  readonly pass: (milliseconds: number) => Promise<void>;
  readonly answer: () => AssistantTurn;
  readonly heardSamples: () => number;
}

/** Each closes a controller while its clock runs. */
const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** The chat controller over the embedded gateway, which is closed after the test. */
export async function openChatControllerHarness({
  keep = true,
  store = new FakeChatStore(),
  gateway = {},
  seed = 3,
  maxMediaBytes,
}: {
  readonly keep?: boolean;
  readonly store?: FakeChatStore;
  readonly gateway?: Partial<GatewayOptions>;
  readonly seed?: number;
  readonly maxMediaBytes?: number;
} = {}): Promise<ChatControllerHarness> {
  const scene = setGatewayScene(gateway);
  const { clock } = scene;
  const random = seeded(seed);
  const event: News[] = [];
  let heardSamples = 0;
  const playback = new ClockedPlayback({
    rate: 24_000,
    onHeard: (samples) => {
      heardSamples += samples.filter((sample) => sample !== 0).length;
    },
  });
  const deps: ChatControllerDeps = {
    openSession: (emit) =>
      openSession(
        { mode: 'chat', settings: {}, dialect: 'auto', chunkMs: 1000 },
        {
          sockets: inProcessSockets(scene.gateway, clock),
          clock,
          random,
          emit,
          rememberDialect: () => undefined,
          codec: {
            encodeClientEvent: (ask, dialect) => writePlain({ ...ask, dialect }),
            decodeServerEvent: (text) => readPlain(text) as ServerEvent,
          },
        },
      ),
    clock,
    wallClock: () => 1_000_000 + clock.now(),
    random,
    player: new AnswerPlayer({ clock, playback }),
    pictures: new FakePictures(),
    store,
    index: chatIndexFromStore(store),
    emit: (one) => {
      event.push(one);
    },
  };
  const controller = await openChatController({ keep, options: ownVoice, maxMediaBytes }, deps);
  const pass = async (milliseconds: number): Promise<void> => {
    for (let at = 0; at < milliseconds; at += 20) {
      clock.advance(20);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
  };
  closings.push(() => Promise.all([controller.close(), pass(5000)]));
  return {
    controller,
    event,
    store,
    pass,
    answer: () => {
      const turn = controller.chat.conversation.turns.findLast(({ role }) => role === 'assistant');
      if (turn?.role !== 'assistant') throw new Error('The last turn is not an answer.');
      return turn;
    },
    heardSamples: () => heardSamples,
  };
}
