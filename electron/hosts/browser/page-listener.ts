import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { PageFiles } from '../page-files.ts';
import { pageHeaders } from '../page-headers.ts';
import type { PageDownloads } from './page-downloads.ts';
import { requestedUrl } from './request-guard.ts';
import type { HttpRefusal } from './request-guard.ts';

/** Answers the page's own files, what was made for it to download, and nothing else. */
export function createPageListener(
  files: PageFiles,
  refuse: (request: IncomingMessage) => HttpRefusal | undefined,
  downloads?: Pick<PageDownloads, 'answer'>,
): RequestListener {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request);
    if (refusal !== undefined) {
      endWith(response, refusal.status, refusal.reason);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      endWith(response, 405, 'Parley only serves its page here.');
      return;
    }
    const pathname = requestedUrl(request)?.pathname ?? '';
    if (request.method === 'GET' && (await downloads?.answer(pathname, response)) === true) return;
    const file = await files.read(pathname);
    if (file === undefined) {
      endWith(response, 404, 'There is no such file in Parley.');
      return;
    }
    response.writeHead(200, {
      ...pageHeaders([`ws://${request.headers.host}`]),
      'content-type': file.type,
      'content-length': file.body.byteLength,
      'cache-control': 'no-cache',
    });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  }

  return (request, response) => {
    respond(request, response).catch(() => {
      endWith(response, 500, 'Parley could not read its own page; build it again.');
    });
  };
}

function endWith(response: ServerResponse, status: number, text: string): void {
  if (!response.headersSent) {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  }
  response.end(text);
}
