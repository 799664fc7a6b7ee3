import { z } from 'zod';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { type DuplexMode, sessionSeconds } from '../../../../shared/protocol/realtime-api.ts';
import { displayAddress } from '../../../../shared/settings/endpoint.ts';
import type { Fault, GatewayOptions } from '../../../gateway/gateway-options.ts';
import { type BackendAddress, readBackendAddress } from '../../../app/model-server.ts';
import type { Backend } from '../../../gateway/backend.ts';
import { CommandError, exitCode, UsageError } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { CommandArguments, CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { type OpenCore, type Terminal, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';
import { NextInterrupt } from './run-session.ts';

const defaultPort = 8006;
/** Time for running sessions with model servers after the first Ctrl-C. */
const drainMs = 10_000;

const gatewayCommandSpec = {
  name: 'gateway',
  summary: 'run a MiniCPM-o gateway, for demonstrations and tests or in front of model servers',
  options: {
    port: {
      value: 'N',
      range: { min: 0, max: 65_535, whole: true },
      about: `where to listen on this machine, normally ${defaultPort}; 0 takes any free port`,
    },
    host: {
      value: 'H',
      about:
        'the address to listen at, normally 127.0.0.1; with 0.0.0.0 whoever reaches this machine may use it',
    },
    tls: {
      about: 'serves wss:// with a certificate made for this run, and tells its fingerprint',
    },
    'allow-origin': {
      value: 'O',
      many: true,
      read: readOrigin,
      about: 'lets the pages of this origin connect, as https://name; otherwise none may',
    },
    'mode-limits': {
      value: 'S',
      read: readLimits,
      about:
        'how many seconds a session may last, as video=300,audio=600; a mode that is left out keeps its limit',
    },
    dialect: { value: 'D', choices: ['unified', 'legacy'], about: 'unified or legacy' },
    manners: {
      value: 'M',
      choices: ['documented', 'deployed', 'llama-omni'],
      about:
        'documented: as the documents say; deployed: as real servers behave; llama-omni: as with the C++ model server behind them',
    },
    context: {
      value: 'N',
      range: { min: 100, max: 1_000_000, whole: true },
      about: "how many tokens fit into the model's context, normally 8192",
    },
    'step-ms': {
      value: 'N',
      range: { min: 1, max: 60_000, whole: true },
      about: 'how long the model takes for a step, normally 200; real servers take about 1000',
    },
    'lead-ms': {
      value: 'N',
      range: { min: 0, max: 10_000, whole: true },
      about: 'by how much the text runs ahead of its sound, normally not at all',
    },
    'input-ids': {
      value: 'I',
      choices: ['echoed', 'dropped'],
      about: 'whether answers name what they answer; normally so in deployed manners only',
    },
    usage: {
      about: 'tells what each step of a talk and its session have used, as newer servers do',
    },
    record: {
      value: 'DIR',
      file: true,
      about: 'writes all frames of each session into a file in this folder, sound and pictures too',
    },
    script: {
      value: 'F',
      file: true,
      about:
        'a JSON list of faults to have, such as [{"kind":"drop","session":1,"atStep":3},{"kind":"delay","ms":200}]',
    },
    workers: {
      value: 'N',
      range: { min: 1, max: 10_000, whole: true },
      about: 'how many sessions run at once',
    },
    queue: {
      value: 'N',
      range: { min: 0, max: 10_000, whole: true },
      about: 'how many more may wait',
    },
    backend: {
      value: 'URL',
      many: true,
      read: readBackend,
      about:
        'lets the model server at ws://host:port/backend answer instead of the demonstration; each is a worker',
    },
    'chat-backend': {
      value: 'URL',
      many: true,
      read: readBackend,
      about: 'a model server for chat only; those of --backend then only talk',
    },
    model: {
      value: 'DIR',
      file: true,
      about: 'runs llama-omni-server with the model in this folder, and lets it answer',
    },
    server: {
      value: 'PATH',
      file: true,
      about:
        'the llama-omni-server of --model; left out, it is looked for on PATH and where it is built',
    },
    ...jsonOption,
  },
  notes: [
    'Ctrl-C ends it. With model servers, running sessions first have 10 s; Ctrl-C again ends them.',
  ],
} as const satisfies CommandSpec;

function readGatewayCommandOptions({ options }: CommandArguments<typeof gatewayCommandSpec>) {
  const { port = defaultPort, json, script, dialect, manners, workers, queue } = options;
  return {
    port,
    door: {
      allowedOrigins: options.allowOrigin,
      host: options.host,
      tls: options.tls,
      record: options.record,
      backends: listBackends(options),
    },
    json,
    script,
    model:
      options.model === undefined
        ? undefined
        : { folder: options.model, program: options.server ?? '' },
    options: withoutGaps({
      sessionSeconds: options.modeLimits,
      dialect,
      profile: manners,
      workers,
      queueLimit: queue,
      contextTokens: options.context,
      stepMs: options.stepMs,
      textLeadMs: options.leadMs,
      reportsUsage: options.usage ? true : undefined,
      echoInputIds: options.inputIds && options.inputIds === 'echoed',
    }),
  };
}

/** Options of the demonstration, which mean nothing to a model server. */
const demonstrationOptions = [
  ['workers', '--workers'],
  ['script', '--script'],
  ['stepMs', '--step-ms'],
  ['leadMs', '--lead-ms'],
  ['usage', '--usage'],
  ['inputIds', '--input-ids'],
] as const;

type GivenOptions = CommandArguments<typeof gatewayCommandSpec>['options'];

function listBackends(options: GivenOptions): readonly BackendAddress[] | undefined {
  const { backend, chatBackend } = options;
  if (options.server !== undefined && options.model === undefined)
    throw new UsageError('--server goes together with --model.');
  if (backend.length + chatBackend.length === 0 && options.model === undefined) return undefined;
  const clash = demonstrationOptions.find(
    ([name]) => options[name] !== undefined && options[name] !== false,
  );
  if (clash !== undefined) {
    throw new UsageError(
      `${clash[1]} belongs to the demonstration, so it does not go together with --backend, --chat-backend or --model.`,
    );
  }
  const serves = chatBackend.length > 0 ? 'duplex' : 'both';
  return [
    ...backend.map((address) => ({ address, serves }) as const),
    ...chatBackend.map((address) => ({ address, serves: 'chat' }) as const),
  ];
}

function readBackend(text: string): URL {
  const address = readBackendAddress(text);
  if (address !== undefined) return address;
  throw new UsageError(
    `"${displayAddress(text)}" is not the address of a model server, which looks like ws://127.0.0.1:22500/backend.`,
  );
}

type Choices = { readonly [Key in keyof GatewayOptions]?: GatewayOptions[Key] | undefined };

/** Drops undefined values, which would override the gateway's defaults. */
function withoutGaps(choices: Choices): Partial<GatewayOptions> {
  const chosen = Object.entries(choices).filter(([, value]) => value !== undefined);
  return Object.fromEntries(chosen);
}

function readLimits(text: string): Record<DuplexMode, number> {
  const limits: Record<DuplexMode, number> = { ...sessionSeconds };
  for (const part of text.split(',')) {
    const [, mode, seconds] = /^(audio|video)=(\d{1,6})$/.exec(part.trim()) ?? [];
    if (seconds === undefined || Number(seconds) === 0) {
      throw new UsageError(`--mode-limits takes seconds as video=300,audio=600, not "${text}".`);
    }
    limits[mode as DuplexMode] = Number(seconds);
  }
  return limits;
}

/** Accepts an origin only in the form that browsers send. */
function readOrigin(text: string): string {
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: 'null' };
  const page = origin !== 'null' && text.replace(/\/$/, '').toLowerCase() === origin;
  if (page) return origin;
  throw new UsageError(
    `--allow-origin takes an origin as https://name or http://name:port, not "${text}".`,
  );
}

/** Runs Parley's gateway as a server. */
export const gatewayCommand = terminalCommand(
  gatewayCommandSpec,
  async (
    given,
    terminal,
    openCore: OpenCore<
      Pick<TerminalCore, 'files' | 'serveGateway' | 'openModel' | 'connectBackends'>
    >,
  ) => {
    const parley = await openCore();
    const { port, door, json, script, model, options } = readGatewayCommandOptions(given);
    const faults = script === undefined ? {} : { faults: await readGatewayScript(parley, script) };
    const own = model === undefined ? [] : [await startModel(parley, model, terminal)];
    const others = door.backends && (await parley.connectBackends(door.backends));
    const backends = others && [...others, ...own];
    const served = await parley.serveGateway({ ...options, ...faults }, port, {
      ...door,
      backends,
    });
    if (!served.ok) throw new CommandError(describeAppError(served.error), exitCode.failed);
    const { url, fingerprint, drain } = served.value;
    const trust =
      fingerprint === undefined ? '' : `\nIts certificate's fingerprint is ${fingerprint}.`;
    const line = json
      ? JSON.stringify({ at: 0, event: 'listening', url, fingerprint })
      : `The gateway listens at ${url}; Ctrl-C ends it.${trust}`;
    terminal.out(`${line}\n`);
    await new NextInterrupt(terminal).pressed;
    // The demonstration's sessions are worth no waiting.
    const drained = backends === undefined ? undefined : drain(drainMs);
    if (drained !== undefined) {
      const again = new NextInterrupt(terminal);
      terminal.err('Nobody new is let in; running sessions have 10 s. Ctrl-C again ends them.\n');
      await Promise.race([drained, again.pressed]);
      again.forget();
    }
    return exitCode.done;
  },
);

interface OwnModel {
  readonly folder: string;
  readonly program: string;
}

/** Loads the model before the gateway listens, so that its first client need not wait. */
async function startModel(
  parley: Pick<TerminalCore, 'openModel'>,
  { folder, program }: OwnModel,
  terminal: Terminal,
): Promise<Backend> {
  const { server, backend } = await parley.openModel(folder, program);
  terminal.err('Loading the model…\n');
  unwrapOrExit(await server.ready());
  return backend;
}

const maxScriptBytes = 1024 * 1024;
const session = z.int().min(1).optional();
const ms = z.number().min(0).max(3_600_000);
const atStep = z.union([z.int().min(1), z.enum(['admission', 'creation'])], {
  error: 'must be a step from 1 on, "admission" or "creation"',
});
const garbage = z.enum([
  'text',
  'binary',
  'nan',
  'brokenBase64',
  'textAsNumber',
  'huge',
  'unknownEvent',
  'cutJson',
]);

const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), session, ms, jitterMs: ms.optional() }),
  z.strictObject({ kind: z.literal('shortFirstChunk'), session, ms }),
  z.strictObject({ kind: z.literal('lateSound'), session, ms, jitterMs: ms.optional() }),
  z.strictObject({ kind: z.literal('lostListens'), session, share: z.number().min(0).max(1) }),
  z.strictObject({ kind: z.literal('onlyListens'), session }),
  z.strictObject({ kind: z.literal('stall'), session, atStep }),
  z.strictObject({ kind: z.literal('drop'), session, atStep }),
  z.strictObject({ kind: z.literal('garbage'), session, atStep, what: garbage }),
  z.strictObject({ kind: z.literal('error'), session, atStep, code: z.string().min(1) }),
  z.strictObject({ kind: z.literal('closed'), session, atStep, reason: z.string().min(1) }),
  z.strictObject({ kind: z.literal('handover403'), session }),
  z.strictObject({ kind: z.literal('wedge'), session }),
  z.strictObject({ kind: z.literal('neverCreated'), session }),
  z.strictObject({ kind: z.literal('refusedField'), session, field: z.string().min(1) }),
  z.strictObject({ kind: z.literal('workerDown'), session }),
  z.strictObject({
    kind: z.literal('refuse'),
    session,
    status: z.int().min(300).max(599),
    body: z.string(),
  }),
  z.strictObject({ kind: z.literal('shutdown'), session, afterMs: ms }),
]);

const script = z.array(fault);

/** Reads a script, a JSON list of faults. */
export async function readGatewayScript(
  { files }: Pick<TerminalCore, 'files'>,
  path: string,
): Promise<readonly Fault[]> {
  const text = unwrapOrExit(await files.readText(path, maxScriptBytes));
  const checked = script.safeParse(parseJson(path, text));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new UsageError(`${path} ${whereAndWhy(issue)}.`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON.`, { cause: error });
  }
}

function whereAndWhy(issue: z.core.$ZodIssue | undefined): string {
  const [index, ...field] = issue?.path ?? [];
  if (index === undefined) return 'must hold a list of faults, as [{"kind": …}, …]';
  const where = field.length === 0 ? 'it' : field.join('.');
  const why = (issue?.message ?? 'is not right').replace(/^./, (first) => first.toLowerCase());
  return `has a mistake in fault ${Number(index) + 1}, at ${where}: ${why}`;
}
