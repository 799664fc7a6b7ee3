import type { AssistantTurn } from '../chat/chat-thread.ts';
import type { AppError } from '../errors/app-error.ts';

/** Something that the user asks for in a talk and that tools do. Pages show it as an entry of the talk. */
export interface TalkRequest {
  readonly id: string;
  /** Index of Parley's newest turn when the user asked. */
  readonly after: number | undefined;
  /** Empty while the user's words are being written down. */
  readonly words: string;
  /** `withdrawn`: the words are not known, so there is no entry. */
  readonly state: 'writing' | 'answering' | 'done' | 'stopped' | 'failed' | 'withdrawn';
  /** The answer of the chat beside the talk, with the calls of tools. */
  readonly answer?: AssistantTurn | undefined;
  /** Whether the voice knows the result: from the next session on, or already. */
  readonly voice: 'no' | 'later' | 'knows';
  readonly error?: AppError | undefined;
}

/** Older requests are dropped, because a page that opens late gets the whole list. */
const maxRequests = 20;

export function withRequest(
  requests: readonly TalkRequest[],
  request: TalkRequest,
): readonly TalkRequest[] {
  if (request.state === 'withdrawn') return requests.filter(({ id }) => id !== request.id);
  const index = requests.findIndex(({ id }) => id === request.id);
  return index === -1 ? [...requests, request].slice(-maxRequests) : requests.with(index, request);
}

/** The result of a request, for the talk's next session. */
export interface ToolResult {
  readonly id: string;
  /** The request in the user's words. */
  readonly asked: string;
  /** The tools that were called, and what they returned. Other programs wrote that. */
  readonly calls: readonly {
    readonly tool: string;
    readonly server: string;
    readonly response: string;
  }[];
  /** The answer of the chat that called them. */
  readonly answer: string;
}
