import { maxMessageBytes } from './guarded-transport.ts';

/** Bytes of one answer. A stream of events can carry several messages. */
const maxAnswerBytes = 4 * maxMessageBytes;

/** Fetches without redirects, which could lead anywhere with the headers, and cuts an answer that is too long. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) controller.error(new Error('The answer is too long.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
