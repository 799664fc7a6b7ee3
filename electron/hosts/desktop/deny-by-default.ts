import { app, session } from 'electron';

/** No page gets a permission, a new window, a webview or another address than its own. */
export function denyByDefault(allowedOrigin: string): void {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => {
    decide(false);
  });
  session.defaultSession.setPermissionCheckHandler(() => false);

  app.on('web-contents-created', (_created, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
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

/** The origin of an address, or nothing where it is none. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
