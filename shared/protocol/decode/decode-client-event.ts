import type { Base64 } from '../base64.ts';
import type { ClientEventProblem, ClientEvent } from '../client-event.ts';
import type { JsonObject } from '../json.ts';
import { decodeBufferAppend, decodeSessionUpdate } from '../legacy/decode-legacy-client-event.ts';
import type { DialectName } from '../dialect-and-mode.ts';
import {
  decodeSessionClose,
  decodeSessionInit,
  decodeInputAppend,
} from '../unified/decode-unified-client-event.ts';
import { ClientEventFields } from './client-event-fields.ts';
import { maxClientText } from './client-reading.ts';
import type { ClientReading } from './client-reading.ts';
import { DecodeProblems } from './decode-problems.ts';
import { isSimpleJson } from './is-simple-json.ts';
import { lenientClientFrame } from './lenient-client-frame.ts';
import { parseFrame } from './parse-frame.ts';

type Decoder = (frame: ClientEventFields, reading: ClientReading) => ClientEvent;

const decoders: Readonly<Record<DialectName, ReadonlyMap<string, Decoder>>> = {
  unified: new Map<string, Decoder>([
    ['session.init', decodeSessionInit],
    ['input.append', decodeInputAppend],
    ['session.close', decodeSessionClose],
  ]),
  legacy: new Map<string, Decoder>([
    ['session.update', decodeSessionUpdate],
    ['input_audio_buffer.append', decodeBufferAppend],
    ['session.close', decodeSessionClose],
  ]),
};

export function decodeClientEvent(
  text: string,
  dialect: DialectName,
  base64: Base64,
  reading: ClientReading = {},
): ClientEvent | ClientEventProblem {
  const read = readClientFrame(text);
  return 'problem' in read ? read.problem : decodeClientFrame(read.frame, dialect, base64, reading);
}

type ReadFrame = { readonly frame: JsonObject } | { readonly problem: ClientEventProblem };

/** The frame as JSON, unless it is none or takes too long to parse. */
export function readClientFrame(text: string): ReadFrame {
  if (!isSimpleJson(text, maxClientText)) {
    const message = 'the frame has more JSON than any event has';
    return { problem: { kind: 'problem', code: 'invalid_payload', message } };
  }
  const frame = parseFrame(text);
  if (frame !== undefined) return { frame };
  const message = 'the frame is not a JSON object';
  return { problem: { kind: 'problem', code: 'bad_json', message } };
}

export function decodeClientFrame(
  frame: JsonObject,
  dialect: DialectName,
  base64: Base64,
  reading: ClientReading,
): ClientEvent | ClientEventProblem {
  const problems = new DecodeProblems();
  // What it rewrites, only events of the unified dialect have.
  const read = reading.lenient === true ? lenientClientFrame(frame) : frame;
  const fields = new ClientEventFields(read, '', problems, base64);
  const type = fields.required('type').text('type');
  if (problems.first !== undefined) return problems.first;
  const decoder = decoders[dialect].get(type ?? '');
  if (decoder === undefined) return unknownEvent(type ?? '');
  const event = decoder(fields, reading);
  return problems.first ?? event;
}

function unknownEvent(type: string): ClientEventProblem {
  return { kind: 'problem', code: 'unknown_event', message: `unknown event type: ${type}` };
}
