import { url as inspectorAddress } from 'node:inspector';
import { app, protocol, session, shell } from 'electron';
import type { CapturePermission } from '../../../shared/vision/vision-options.ts';
import { originOf } from '../../app/ipc/request-sender.ts';
import { type PageFiles, pageHeaders } from '../page-files.ts';

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
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (originOf(event.url) !== allowedOrigin) event.preventDefault();
    });
  });
}

/** Nobody hears there, and what goes there leaves no machine. */
const nowhere = '127.0.0.1:1';

/**
 * Whatever a page would send goes nowhere, to this machine too, and no name is looked up for it: a name
 * could carry a secret out by itself. Parley's own page is answered in this process, which asks no
 * network, and the core's sockets are Node's.
 */
export async function blockPageNetwork(): Promise<void> {
  app.configureHostResolver({
    enableBuiltInResolver: true,
    enableAdditionalDnsQueryTypes: false,
    secureDnsMode: 'secure',
    secureDnsServers: [`https://${nowhere}/`],
  });
  await session.defaultSession.setProxy({
    mode: 'fixed_servers',
    proxyRules: `http://${nowhere}`,
    proxyBypassRules: '<-loopback>',
  });
}

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

/** What opens the pages to anybody on this machine; the main side's own door is a fuse. */
const switches = ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address'];

/**
 * A packaged Parley is debugged by nobody. The copy that the tests attach to has that one fuse the other
 * way round, and only with it the inspector is there. Electron looks at the switches once main has run.
 */
export function closeDebuggingPorts(): void {
  if (!app.isPackaged || inspectorAddress() !== undefined) return;
  for (const name of switches) app.commandLine.removeSwitch(name);
}

/** What a page asks the window's engine for. */
export interface MediaPermissionRequest {
  readonly permission: string;
  readonly origin: string | undefined;
  readonly mainFrame: boolean;
  /** Of `media`: video, audio or both; none for the capture of a screen. */
  readonly media: readonly (string | undefined)[];
}

/**
 * Only our own page, only what the person has switched on, and never a microphone: sound is the main
 * side's own. Everything else stays denied.
 */
export function isMediaAllowed(
  { permission, origin, mainFrame, media }: MediaPermissionRequest,
  ownOrigin: string,
  capture: CapturePermission,
): boolean {
  if (!mainFrame || origin !== ownOrigin) return false;
  // Electron names the capture of a screen in one way or the other; which one, we decide later.
  const ofScreen = permission === 'display-capture' || (permission === 'media' && !media.length);
  if (ofScreen) return capture.open === 'screen';
  return (
    permission === 'media' && capture.open === 'camera' && media.every((kind) => kind === 'video')
  );
}

const maxLinkLength = 2000;

/** One plain mailbox: nothing that is quoted, coded or a list. */
const mailbox = /^[a-z\d][a-z\d.!#$'*+/=^_`{|}~-]*@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;

/**
 * What the system may open in place of an address: pages and letters, since any other scheme could start
 * a program. A letter gets its receiver and no word more, or a page would write it and say what is enclosed.
 */
export function externalLink(address: string): string | undefined {
  if (address.length > maxLinkLength || !URL.canParse(address)) return undefined;
  const { protocol: scheme, pathname, href } = new URL(address);
  if (scheme === 'http:' || scheme === 'https:') return href;
  return scheme === 'mailto:' && mailbox.test(pathname) ? `mailto:${pathname}` : undefined;
}
