import { openChatModel } from '../../electron/gateway/chat-model.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  planFaults,
} from '../../electron/gateway/gateway-options.ts';
import { openContextWindow } from '../../electron/gateway/context-window.ts';
import type { GatewayModel } from '../../electron/gateway/gateway-model.ts';
import { SentenceRecogniser } from '../../electron/gateway/sentence-recogniser.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type {
  ChatMessage,
  ChatTurnEvent,
  ContentPart,
} from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';

const maxMessages = 8;
const maxCharacters = 1200;

interface StandInChatDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly speech: DemoSpeech;
  readonly sessionId: string;
  readonly contextSize: number;
  readonly stepMs: number;
  readonly send: (text: string) => void;
}

/** Stand-in for the chat model of `llama-omni-server`: the demonstration's answers in the frames of the C++ server. */
export class StandInChat {
  readonly #model: GatewayModel<ChatTurnEvent>;
  readonly #codec = createServerCodec(bufferBase64);

  constructor({ clock, random, speech, sessionId, contextSize, stepMs, send }: StandInChatDeps) {
    const options = {
      ...defaultGatewayOptions,
      profile: 'llama-omni' as const,
      contextTokens: contextSize,
      stepMs,
    };
    this.#model = openChatModel({
      mode: 'chat',
      options,
      deps: {
        clock,
        random,
        codec: this.#codec,
        pictures: fakePictures(),
        speech,
        recogniser: new SentenceRecogniser(speech),
      },
      settings: {},
      context: openContextWindow(options, 0),
      faults: planFaults([], 1),
      emit: (event) => {
        for (const text of this.#codec.encodeServerEvent(event, 'unified')) send(text);
      },
      answerStep: (_step, answer) => {
        answer();
      },
      sessionId,
      newResponseId: () => `${sessionId}_resp_0`,
      onContextFull: () => undefined,
    });
  }

  /** Returns false if the input is invalid. */
  add(text: string): boolean {
    const event = this.#codec.decodeClientEvent(text, 'unified');
    if (event.kind !== 'chat') return false;
    return (
      this.#model.accept({ ...event, messages: truncateMessages(event.messages) }) === undefined
    );
  }

  end(): void {
    this.#model.end();
  }
}

/** Truncates the messages as the C++ server does: the last texts, and the last picture and first sound of the last user message. */
function truncateMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.slice(-maxMessages).map(({ role, content }, index, kept) => {
    if (typeof content === 'string') return { role, content: content.slice(0, maxCharacters) };
    const isLast = role === 'user' && !kept.slice(index + 1).some((later) => later.role === 'user');
    const picture = content.findLast(({ type }) => type === 'image');
    const sound = content.find(({ type }) => type === 'audio');
    const parts = content.flatMap((part): readonly ContentPart[] => {
      if (part.type === 'text') return [{ ...part, text: part.text.slice(0, maxCharacters) }];
      return isLast && (part === picture || part === sound) ? [part] : [];
    });
    return { role, content: parts };
  });
}
