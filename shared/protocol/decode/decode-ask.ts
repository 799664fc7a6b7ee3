import type { Base64 } from '../base64.ts';
import type { AskProblem, ClientAsk } from '../client-ask.ts';
import { decodeBufferAppend, decodeUpdate } from '../legacy/decode-ask.ts';
import type { DialectName } from '../names.ts';
import { decodeClose, decodeInit, decodeInput } from '../unified/decode-ask.ts';
import { AskFields } from './ask-fields.ts';
import { Complaints } from './complaints.ts';
import { parseFrame } from './parse-frame.ts';

type Decoder = (frame: AskFields) => ClientAsk;

const decoders: Readonly<Record<DialectName, ReadonlyMap<string, Decoder>>> = {
  unified: new Map<string, Decoder>([
    ['session.init', decodeInit],
    ['input.append', decodeInput],
    ['session.close', decodeClose],
  ]),
  legacy: new Map<string, Decoder>([
    ['session.update', decodeUpdate],
    ['input_audio_buffer.append', decodeBufferAppend],
    ['session.close', decodeClose],
  ]),
};

export function decodeAsk(
  text: string,
  dialect: DialectName,
  base64: Base64,
): ClientAsk | AskProblem {
  const frame = parseFrame(text);
  if (frame === undefined) {
    return { kind: 'problem', code: 'bad_json', message: 'the frame is not a JSON object' };
  }
  const complaints = new Complaints();
  const fields = new AskFields(frame, '', complaints, base64);
  const type = fields.required('type').text('type');
  if (complaints.first !== undefined) return complaints.first;
  const decoder = decoders[dialect].get(type ?? '');
  if (decoder === undefined) return unknownEvent(type ?? '');
  const ask = decoder(fields);
  return complaints.first ?? ask;
}

function unknownEvent(type: string): AskProblem {
  return { kind: 'problem', code: 'unknown_event', message: `unknown event type: ${type}` };
}
