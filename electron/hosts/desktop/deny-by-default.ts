import { app, session, shell } from 'electron';
import { originOf } from '../../ipc/origin-of.ts';
import type { CapturePermission } from '../../../shared/vision/vision-options.ts';
import { externalLink } from './external-link.ts';
import { isMediaAllowed } from './media-permission.ts';

/**
 * No page gets a new window, a webview or another address than its own, nor a permission but those
 * that capture needs, while the person has it switched on. A link goes to the system's browser.
 */
export function denyByDefault(allowedOrigin: string, capture: () => CapturePermission): void {
  // Its dictionaries would come from a server of somebody else's.
  session.defaultSession.setSpellCheckerEnabled(false);
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) => {
    const media = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const origin = originOf(details.requestingUrl);
    const asked = { permission, origin, mainFrame: details.isMainFrame, media };
    decide(isMediaAllowed(asked, allowedOrigin, capture()));
  });
  session.defaultSession.setPermissionCheckHandler((_contents, permission, address, details) => {
    const asked = {
      permission,
      origin: originOf(address),
      mainFrame: details.isMainFrame,
      media: [details.mediaType],
    };
    return isMediaAllowed(asked, allowedOrigin, capture());
  });

  app.on('web-contents-created', (_created, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      // A machine without a browser has nothing to open it with, and the window stays as it is.
      const link = externalLink(url);
      if (link !== undefined) void shell.openExternal(link).catch(() => undefined);
      return { action: 'deny' };
    });
    // WebRTC could otherwise send to any address without being a request that anyone sees.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    contents.on('will-attach-webview', (event) => {
      event.preventDefault();
    });
    contents.on('will-navigate', (event) => {
      if (originOf(event.url) !== allowedOrigin) event.preventDefault();
    });
  });
}
