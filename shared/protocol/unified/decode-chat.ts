import type { ChatMessage, ChatSpeech, ChatTurnEvent, ContentPart } from '../client-event.ts';
import type { ClientEventFields } from '../decode/client-event-fields.ts';

export function decodeChat(input: ClientEventFields, inputId: string | undefined): ChatTurnEvent {
  const generation = input.object('generation');
  const tts = input.object('tts');
  return {
    kind: 'chat',
    inputId,
    messages: decodeMessages(input),
    streaming: input.flag('streaming'),
    maxNewTokens: generation?.number('max_new_tokens'),
    lengthPenalty: generation?.number('length_penalty'),
    maxSlices: input.object('image')?.slices('max_slice_nums'),
    omni: input.flag('omni_mode'),
    speech: tts && decodeSpeech(tts),
    useTtsTemplate: input.flag('use_tts_template'),
    thinking: input.flag('enable_thinking'),
  };
}

function decodeMessages(input: ClientEventFields): readonly ChatMessage[] {
  const messages = input.items('messages', (items, place) => {
    const message = items.object(place);
    return message && decodeMessage(message);
  });
  if (messages?.length === 0) input.invalid('messages', 'must not be empty');
  return messages ?? [];
}

function decodeSpeech(tts: ClientEventFields): ChatSpeech {
  return { enabled: tts.flag('enabled') ?? false, voice: tts.sound('ref_audio_data') };
}

function decodeMessage(message: ClientEventFields): ChatMessage | undefined {
  const role = message.required('role').text('role');
  if (role !== 'system' && role !== 'user' && role !== 'assistant') {
    return message.invalid('role', 'must be system, user or assistant');
  }
  message.required('content');
  return { role, content: decodeContent(message) };
}

function decodeContent(message: ClientEventFields): ChatMessage['content'] {
  if (!message.isList('content')) return message.text('content') ?? '';
  const parts = message.items('content', (items, place) => {
    const part = items.object(place);
    return part && decodePart(part);
  });
  return parts ?? [];
}

function decodePart(part: ClientEventFields): ContentPart | undefined {
  const type = part.required('type').text('type');
  if (type === 'text') return { type, text: part.required('text').text('text') ?? '' };
  if (type === 'image') {
    return { type, image: part.required('data').bytes('data') ?? new Uint8Array(0) };
  }
  if (type === 'audio') {
    return { type, audio: part.required('data').sound('data') ?? new Float32Array(0) };
  }
  return part.invalid('type', 'must be text, image or audio');
}
