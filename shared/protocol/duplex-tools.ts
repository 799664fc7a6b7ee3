import type { ToolCallForm, ToolResultEvent, ServerEvent, ToolCallEvent } from './realtime-api.ts';
import { isJsonObject, isSimpleJson, type JsonObject } from './json.ts';
import { isMissing, malformedEvent, nameIn, readCommonFields } from './server-event-fields.ts';

/** Limits in characters. A model writes far less. */
const maxArgumentsLength = 65_536;
const maxIdLength = 200;
const maxNameLength = 128;

/** Whether this `session.queue_done` or `session.created` says that the server takes tools in talks. */
export function announcesTools(frame: JsonObject): true | undefined {
  return frame['tools'] === true ? true : undefined;
}

type Decoder = (frame: JsonObject) => ServerEvent;

export const toolCallDecoders: readonly (readonly [string, Decoder])[] = [
  ['response.tool_call.args.raw', (frame) => decodeCall(frame, frame['raw'], 'raw')],
  ['response.tool_call.done', (frame) => decodeCall(frame, frame['call'], 'done')],
  [
    'response.tool_call.abort',
    (frame) => {
      const call = idOf(frame);
      if (call === undefined) return malformedEvent(frame, 'it has no tool_call_id');
      return { kind: 'toolCall', call, ...readCommonFields(frame) };
    },
  ],
];

/** Decodes a call. If the server could not parse it, the event is unknown, and only the inspector shows it. */
function decodeCall(frame: JsonObject, payload: unknown, form: ToolCallForm): ServerEvent {
  const call = idOf(frame);
  if (call === undefined) return malformedEvent(frame, 'it has no tool_call_id');
  if (isMissing(payload as JsonObject) || !isJsonObject(payload) || payload['error'] !== undefined)
    return { kind: 'unknown', type: nameIn(frame, 'type') ?? '', raw: frame };
  const { name, arguments: sent } = payload;
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength)
    return malformedEvent(frame, 'it names no tool');
  const args = argumentsOf(sent);
  if (args === undefined) return malformedEvent(frame, 'its arguments are not a JSON object');
  return { kind: 'toolCall', call, ask: { form, name, args }, ...readCommonFields(frame) };
}

function idOf(frame: JsonObject): string | undefined {
  const id = frame['tool_call_id'];
  return typeof id === 'string' && id !== '' && id.length <= maxIdLength ? id : undefined;
}

function argumentsOf(sent: unknown): JsonObject | undefined {
  if (sent === undefined) return {};
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  if (text.length > maxArgumentsLength || !isSimpleJson(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The frame of a call, for a server. */
export function encodeToolCall({ call, ask, sessionId }: ToolCallEvent): object {
  const ids = { tool_call_id: call, session_id: sessionId };
  if (ask === undefined) return { type: 'response.tool_call.abort', ...ids };
  const { form, name, args } = ask;
  if (form === 'done')
    return { type: 'response.tool_call.done', ...ids, call: { name, arguments: args } };
  const raw = { type: 'function_call', name, arguments: JSON.stringify(args) };
  return { type: 'response.tool_call.args.raw', ...ids, raw };
}

export function encodeToolResult({ call, form, text }: ToolResultEvent): object {
  const content = form === 'done' ? { content: text } : { contents: [{ kind: 'text', text }] };
  return { type: 'input.tool_result', tool_call_id: call, ...content };
}
