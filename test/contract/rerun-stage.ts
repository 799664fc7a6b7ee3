import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { rerunCommand } from '../../electron/hosts/terminal/commands/rerun-command.ts';
import type { ExitCode } from '../../electron/hosts/terminal/exit-code.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createVirtualClock } from '../../electron/recordings/replay/virtual-clock.ts';
import type { Files } from '../../shared/ports/files.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { fakeSpeech } from '../fakes/fake-speech.ts';
import { namedServers } from '../fakes/named-servers.ts';
import { seeded } from '../fakes/seeded.ts';
import { sessionCore } from '../fakes/session-core.ts';

const maxMs = 300_000;

/** Runs `parley rerun` against a demonstration, possibly busy at first, on a simulated clock. */
export async function rerun(
  files: Files,
  args: readonly string[],
  {
    busyMs = 0,
    minPauseMs = 0,
    ...gateway
  }: Partial<GatewayOptions> & { readonly busyMs?: number; readonly minPauseMs?: number } = {},
) {
  const clock = createVirtualClock();
  const codec = createServerCodec(bufferBase64);
  const server = openGateway(
    { ...defaultGatewayOptions, ...gateway },
    { clock, random: seeded(11), codec, pictures: fakePictures(), speech: fakeSpeech },
  );
  const sessions = sessionCore({ clock, files, random: seeded(2), versions: { Parley: '0.0.0' } });
  // Loading it during the simulation would take hours of simulated time.
  await sessions.carryOverMessages();
  const open = () => Promise.resolve({ ok: true, value: inProcessSockets(server, clock) } as const);
  const { computerModel, ...servers } = namedServers();
  const parley = {
    ...sessions,
    ...servers,
    clock,
    files,
    connectTo: () => inProcessSockets(server, clock),
    embeddedGateway: open,
    computerModel: { ...computerModel, load: open, minPauseMs: () => minPauseMs },
  };
  if (busyMs > 0) {
    const how = { mode: 'audio', settings: {}, dialect: 'auto', chunkMs: 1000 } as const;
    const sockets = inProcessSockets(server, clock);
    const other = sessions.openSession(how, { sockets, emit: () => undefined });
    clock.after(busyMs, () => {
      other.end();
    });
  }
  let [out, err] = ['', ''];
  const terminal = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const run: { code?: ExitCode; error?: unknown } = {};
  const over = (): boolean => 'code' in run || 'error' in run;
  void rerunCommand
    .run(args, terminal, () => parley)
    .then(
      (code) => (run.code = code),
      (error: unknown) => (run.error = error),
    );
  // A recorder checks its files as long as it is open, so its timers never run out.
  for (let looks = 0; !over() && clock.now() < maxMs;) {
    await clock.run(() => over() || (looks += 1) % 40 === 0);
    await new Promise(setImmediate);
  }
  void server.end();
  if ('error' in run) throw run.error;
  if (!over()) throw new Error(`The rerun did not end within ${maxMs} ms: ${err}`);
  return { code: run.code, out, err, parley, tookMs: clock.now() };
}
