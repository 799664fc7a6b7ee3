import type { Base64 } from './base64.ts';
import type { ChatMessage, ChatTurnEvent, ContentPart } from './client-event.ts';
import { finiteOrMissing, wireSlices, unlessEmpty } from './wire-values.ts';
import { encodePcm } from './pcm.ts';

export function encodeChat(turn: ChatTurnEvent, base64: Base64): object {
  return { type: 'input.append', input: encodeChatInput(turn, base64) };
}

/** A turn by itself, as it stands in an append. */
export function encodeChatInput(turn: ChatTurnEvent, base64: Base64): object {
  const maxSlices = wireSlices(turn.maxSlices);
  const speech = turn.speech && {
    enabled: turn.speech.enabled,
    ref_audio_data: turn.speech.voice && encodePcm(turn.speech.voice, base64),
  };
  return {
    messages: turn.messages.map((message) => encodeMessage(message, base64)),
    streaming: turn.streaming,
    generation: unlessEmpty({
      max_new_tokens: finiteOrMissing(turn.maxNewTokens),
      length_penalty: finiteOrMissing(turn.lengthPenalty),
    }),
    image: maxSlices === undefined ? undefined : { max_slice_nums: maxSlices },
    omni_mode: turn.omni,
    tts: speech,
    use_tts_template: turn.useTtsTemplate,
    enable_thinking: turn.thinking,
    input_id: turn.inputId,
  };
}

function encodeMessage({ role, content }: ChatMessage, base64: Base64): object {
  if (typeof content === 'string') return { role, content };
  return { role, content: content.map((part) => encodePart(part, base64)) };
}

function encodePart(part: ContentPart, base64: Base64): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image', data: base64.encode(part.image) };
    case 'audio':
      return { type: 'audio', data: encodePcm(part.audio, base64) };
  }
}
