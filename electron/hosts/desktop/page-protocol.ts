import { protocol } from 'electron';
import type { PageFiles } from '../page-files.ts';
import { pageHeaders } from '../page-headers.ts';

/**
 * The page's own origin, a secure one as camera and microphone want it. Nothing of it ever reaches
 * a network: `.localhost` names no other machine, and every https request is answered right here.
 */
export const pageOrigin = 'https://parley.localhost';

/** Serves the built renderer at its origin and refuses every other https address. */
export function registerPageProtocol(files: PageFiles): void {
  protocol.handle('https', async (request) => {
    const url = new URL(request.url);
    const file = url.origin === pageOrigin ? await files.read(url.pathname) : undefined;
    if (file === undefined) return new Response(null, { status: 404 });
    return new Response(file.body, { headers: { ...pageHeaders([]), 'content-type': file.type } });
  });
}
