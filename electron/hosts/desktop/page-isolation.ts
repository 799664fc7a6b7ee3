import { url as inspectorAddress } from 'node:inspector';
import { app, protocol, session, shell } from 'electron';
import type { CapturePermission } from '../../../shared/vision/vision-options.ts';
import { urlOrigin } from '../../app/ipc/window-ipc.ts';
import { type PageFiles, pageHeaders } from '../page-files.ts';

/**
 * Denies pages new windows, webviews, other addresses and all permissions, except capture while the user has it
 * switched on. Links open in the system's browser.
 */
export function denyByDefault(allowedOrigin: string, capture: () => CapturePermission): void {
  // Dictionaries would be downloaded from a third-party server.
  session.defaultSession.setSpellCheckerEnabled(false);
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) => {
    const media = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const origin = urlOrigin(details.requestingUrl);
    const request = { permission, origin, isMainFrame: details.isMainFrame, media };
    decide(isMediaAllowed(request, allowedOrigin, capture()));
  });
  session.defaultSession.setPermissionCheckHandler((_contents, permission, address, details) => {
    const request = {
      permission,
      origin: urlOrigin(address),
      isMainFrame: details.isMainFrame,
      media: [details.mediaType],
    };
    return isMediaAllowed(request, allowedOrigin, capture());
  });

  app.on('web-contents-created', (_created, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      // Without a browser, nothing happens.
      const link = externalLink(url);
      if (link !== undefined) void shell.openExternal(link).catch(() => undefined);
      return { action: 'deny' };
    });
    // WebRTC could otherwise send data to any address, without a request that a handler sees.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (urlOrigin(event.url) !== allowedOrigin) event.preventDefault();
    });
  });
}

/** A loopback port where nothing listens. */
const deadAddress = '127.0.0.1:1';

/**
 * Blocks a page's network, including this machine and DNS, which could leak data in a name. Parley's page is
 * served inside this process, and the core's sockets are Node's.
 */
export async function blockPageNetwork(): Promise<void> {
  app.configureHostResolver({
    enableBuiltInResolver: true,
    enableAdditionalDnsQueryTypes: false,
    secureDnsMode: 'secure',
    secureDnsServers: [`https://${deadAddress}/`],
  });
  await session.defaultSession.setProxy({
    mode: 'fixed_servers',
    proxyRules: `http://${deadAddress}`,
    proxyBypassRules: '<-loopback>',
  });
}

/**
 * The page's origin, secure because camera access requires it. `.localhost` names no other machine, and this
 * process answers every https request.
 */
export const pageOrigin = 'https://parley.localhost';

/** Serves the built renderer at its origin and refuses other https addresses. */
export function registerPageProtocol(files: PageFiles): void {
  protocol.handle('https', async (request) => {
    const url = new URL(request.url);
    const file = url.origin === pageOrigin ? await files.read(url.pathname) : undefined;
    if (file === undefined) return new Response(null, { status: 404 });
    return new Response(file.body, { headers: { ...pageHeaders([]), 'content-type': file.type } });
  });
}

/** Switches that let local programs debug pages. For the main process, an Electron fuse closes debugging. */
const debuggingSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
];

/**
 * Removes these switches in a package; Electron reads them after the main entry has run. In the package's copy for tests
 * the fuse is open, which an address of the inspector tells, and debugging stays on.
 */
export function closeDebuggingPorts(): void {
  if (!app.isPackaged || inspectorAddress() !== undefined) return;
  for (const name of debuggingSwitches) app.commandLine.removeSwitch(name);
}

export interface MediaPermissionRequest {
  readonly permission: string;
  readonly origin: string | undefined;
  readonly isMainFrame: boolean;
  /** For `media`: video, audio or both; empty for a screen. */
  readonly media: readonly (string | undefined)[];
}

/**
 * Allows only Parley's page, only what the user switched on, and never a microphone, because the main process
 * records sound.
 */
export function isMediaAllowed(
  { permission, origin, isMainFrame, media }: MediaPermissionRequest,
  ownOrigin: string,
  capture: CapturePermission,
): boolean {
  if (!isMainFrame || origin !== ownOrigin) return false;
  // Electron reports screen capture in either of two ways.
  const isScreen = permission === 'display-capture' || (permission === 'media' && !media.length);
  if (isScreen) return capture.open === 'screen';
  return (
    permission === 'media' && capture.open === 'camera' && media.every((kind) => kind === 'video')
  );
}

const maxLinkLength = 2000;

/** One mail address, without quotes and percent-encoding. */
const mailbox = /^[a-z\d][a-z\d.!#$'*+/=^_`{|}~-]*@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;

/**
 * Returns the address if the system may open it: web pages and mail only, because other schemes could start
 * programs. Mail keeps only the recipient, so that a page cannot compose text or attachments.
 */
export function externalLink(address: string): string | undefined {
  if (address.length > maxLinkLength || !URL.canParse(address)) return undefined;
  const { protocol: scheme, pathname, href } = new URL(address);
  if (scheme === 'http:' || scheme === 'https:') return href;
  return scheme === 'mailto:' && mailbox.test(pathname) ? `mailto:${pathname}` : undefined;
}
