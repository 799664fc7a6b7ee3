import { app, type BrowserWindow, nativeTheme, protocol, session, shell } from 'electron';
import { once } from 'node:events';
import { url as inspectorAddress } from 'node:inspector';
import { resolve } from 'node:path';
import {
  createFirstState,
  type RecoveryNote,
  withRecoveryNote,
} from '../../../shared/app/program.ts';
import { describeError, errorCode } from '../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { CountingLog } from '../../../shared/ports/log.ts';
import { redactSettings } from '../../../shared/settings/settings.ts';
import type { CapturePermission } from '../../../shared/vision/vision-options.ts';
import { composeStartup } from '../../app/desktop-session.ts';
import { limitOpenedLinks, openIpc, urlOrigin } from '../../app/ipc/window-ipc.ts';
import { processOutput } from '../../app/process-output.ts';
import { builtFile } from '../build-info.ts';
import { PageFiles, pageHeaders } from '../page-files.ts';
import type { BegunStart } from './begin-start.ts';
import { DesktopApp } from './desktop-app.ts';
import { shareScreens } from './desktop-capture.ts';
import type { DesktopCore } from './desktop-core.ts';
import { hideDefaultMenu } from './integration/app-menu.ts';
import { readStartArguments, wasRestarted } from './start-arguments.ts';
import { showBrokenPage } from './system-dialogs.ts';

/** Opens the desktop app. When it quits, it calls `startKillTimer`, which kills the process if it hangs. */
export function openDesktop(
  log: CountingLog,
  begun: BegunStart,
  startKillTimer: () => void,
): DesktopApp {
  closeDebuggingPorts();
  const desktop = new DesktopApp(log, begun, startKillTimer);
  startDesktop(desktop).catch((error: unknown) =>
    desktop.fail(`Parley could not open its window: ${describeError(error)}`),
  );
  return desktop;
}

/** Opens the window first, then the core, then the desktop integration. */
async function startDesktop(desktop: DesktopApp): Promise<void> {
  const { windows, links, files, log, isSafe } = desktop;
  // Read from Electron, because debuggers remove arguments from `process.argv`.
  const hidden = app.commandLine.hasSwitch('hidden');
  const mini = app.commandLine.hasSwitch('mini');
  hideDefaultMenu();
  // Set by `npm run dev` only, for hot reload.
  const devPage = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  const page = devPage ?? `${pageOrigin}/`;
  const origin = urlOrigin(page) ?? pageOrigin;
  const { boundsFile, firstSettings } = composeStartup();
  /** The core, once it is loaded. */
  let core: DesktopCore | undefined;
  const firstState = () =>
    createFirstState(
      core === undefined ? firstSettings() : redactSettings(core.settings.get()),
      windows.shown(),
    );
  const openingFiles =
    devPage === undefined ? PageFiles.in(builtFile('../renderer'), firstState) : undefined;
  const [pageFiles] = await Promise.all([openingFiles, app.whenReady()]);
  if (pageFiles !== undefined) registerPageProtocol(pageFiles);
  // Must finish before a page loads. The window is created meanwhile.
  const networkBlocked = devPage === undefined ? blockPageNetwork() : undefined;
  denyByDefault(origin, () => core?.framePipeline.permission ?? { open: 'nothing' }, log);

  const ipc = openIpc(() => desktop.core(shown), origin);
  const window = windows.begin({
    preload: builtFile('../preload/preload.cjs'),
    page,
    file: isSafe ? withoutStorage(boundsFile) : boundsFile,
    register: ipc.register,
    resetPage: ipc.resetPage,
    log,
    reportBrokenPage: (reload) => {
      pauseAndShowBrokenPage(desktop.core(shown), reload).catch((error: unknown) =>
        log.write(
          'error',
          `the dialog about the failed window could not be shown: ${describeError(error)}`,
        ),
      );
    },
  });
  await networkBlocked;
  const shown = showPage(window, withRecoveryNote(page, chooseRecoveryNote(isSafe)), hidden);
  app.on('second-instance', (_event, argv, folder) => {
    const second = readStartArguments(argv);
    // The paths of the second process are relative to its working directory.
    if (second.tape !== undefined) files.open(resolve(folder, second.tape));
    if (second.link !== undefined) links.open(second.link);
    if (second.mini) windows.showMini();
    else if (!second.hidden) windows.showMain();
  });
  // macOS: a click on the dock icon.
  app.on('activate', windows.showMain);
  const serve = async (): Promise<void> => {
    const parley = await desktop.core(shown);
    core = parley;
    followTheme(parley);
    shareScreens(parley.framePipeline, origin);
    ipc.serve(parley);
    windows.serve(parley);
    parley.begin();
    if (isSafe) {
      windows.setClosing({ action: () => 'quit', onStayOpen: () => undefined });
      return;
    }
    const { openIntegration } = await import('./integration/open-integration.ts');
    await openIntegration(parley, desktop, hidden);
  };
  const [isShown] = await Promise.all([shown, serve()]);
  if (mini) windows.showMini();
  desktop.noteOpen();
  if (isShown) processOutput.out('Parley is open.\n');
}

/** Pauses the talk, because the user cannot see that the microphone is open, and shows a dialog. */
async function pauseAndShowBrokenPage(
  core: Promise<DesktopCore>,
  reload: () => void,
): Promise<void> {
  const parley = await core;
  if (parley.talk.isActive) await parley.answer('setPaused', { paused: true });
  await showBrokenPage(parley.settings.get().appearance.language, reload);
}

function chooseRecoveryNote(isSafe: boolean): RecoveryNote | undefined {
  if (isSafe) return 'safeStart';
  return wasRestarted(process.argv) ? 'restarted' : undefined;
}

/** Ignores stored window positions and stores none. */
function withoutStorage(file: StateFile): StateFile {
  const nothing = { ok: true, value: undefined } as const;
  return { ...file, read: () => nothing, write: () => Promise.resolve(nothing) };
}

/**
 * Loads the page and shows the window unless it is `hidden`. Returns false if the user closed it before that, which is
 * not a failure.
 */
async function showPage(window: BrowserWindow, page: string, hidden: boolean): Promise<boolean> {
  const closing = new AbortController();
  window.once('close', () => closing.abort());
  try {
    const shown = once(window, 'ready-to-show', { signal: closing.signal });
    await Promise.all([shown, window.loadURL(page).catch(ignoreReplacedLoad)]);
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  }
  if (closing.signal.aborted) return false;
  if (!hidden) window.show();
  return true;
}

/** Reloading a page that still loads aborts the first load, which is not a failure. */
function ignoreReplacedLoad(error: unknown): void {
  if (errorCode(error) !== 'ERR_ABORTED') throw error;
}

/** Applies the chosen theme to the frame, the menus and the window's background. */
function followTheme({ settings, lifetime }: Pick<DesktopCore, 'settings' | 'lifetime'>): void {
  nativeTheme.themeSource = settings.get().appearance.theme;
  lifetime.add(
    settings.listen((event) => {
      if (event.kind === 'changed') nativeTheme.themeSource = event.settings.appearance.theme;
    }),
  );
}

/**
 * Denies pages new windows, webviews, other addresses and all permissions, except capture while the user has it
 * switched on. Links open in the system's browser.
 */
export function denyByDefault(
  allowedOrigin: string,
  capture: () => CapturePermission,
  log: Pick<CountingLog, 'write'>,
): void {
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
    const mayOpen = limitOpenedLinks(contents, () => performance.now());
    let isRefusalLogged = false;
    contents.setWindowOpenHandler(({ url }) => {
      const link = externalLink(url);
      if (link === undefined) return { action: 'deny' };
      if (mayOpen()) {
        isRefusalLogged = false;
        // Without a browser, nothing happens.
        void shell.openExternal(link).catch(() => undefined);
      } else if (!isRefusalLogged) {
        // Once, because a page could otherwise fill the log.
        isRefusalLogged = true;
        log.write('warn', 'refused to open a second link within 10 s without a click, key or tap');
      }
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
async function blockPageNetwork(): Promise<void> {
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
const pageOrigin = 'https://parley.localhost';

/** Serves the built renderer at its origin and refuses other https addresses. */
function registerPageProtocol(files: PageFiles): void {
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
 * Removes these switches in a package; Electron reads them after the main entry has run. The package's copy for tests
 * keeps its fuse open and so has an inspector address; there, debugging stays on.
 */
function closeDebuggingPorts(): void {
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
