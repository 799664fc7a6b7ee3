import { openChatModel } from '../../electron/gateway/chat-model.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  planFaults,
} from '../../electron/gateway/gateway-options.ts';
import { type GatewayModel, openContextWindow } from '../../electron/gateway/gateway-model.ts';
import { SentenceRecogniser } from '../../electron/gateway/sentence-recogniser.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type {
  ChatMessage,
  ChatTurnEvent,
  ContentPart,
} from '../../shared/protocol/client-event.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';

const keptTexts = 8;
const keptCharacters = 1200;

interface OmniChatDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly speech: DemoSpeech;
  readonly sessionId: string;
  readonly contextSize: number;
  readonly stepMs: number;
  readonly send: (text: string) => void;
}

/** The model in `turn_based`: the demonstration's answers with the wire and the short memory of the C++ server. */
export class OmniChat {
  readonly #model: GatewayModel<ChatTurnEvent>;
  readonly #codec = createServerCodec(bufferBase64);

  constructor({ clock, random, speech, sessionId, contextSize, stepMs, send }: OmniChatDeps) {
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
      answerStep: (_step, say) => {
        say();
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
    return this.#model.accept({ ...event, messages: lastOf(event.messages) }) === undefined;
  }

  end(): void {
    this.#model.end();
  }
}

/** The server sees the last texts, cut, and of the last user message its last picture and first sound. */
function lastOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.slice(-keptTexts).map(({ role, content }, index, kept) => {
    if (typeof content === 'string') return { role, content: content.slice(0, keptCharacters) };
    const isLast = role === 'user' && !kept.slice(index + 1).some((later) => later.role === 'user');
    const picture = content.findLast(({ type }) => type === 'image');
    const sound = content.find(({ type }) => type === 'audio');
    const parts = content.flatMap((part): readonly ContentPart[] => {
      if (part.type === 'text') return [{ ...part, text: part.text.slice(0, keptCharacters) }];
      return isLast && (part === picture || part === sound) ? [part] : [];
    });
    return { role, content: parts };
  });
}
