import { z } from 'zod';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { type DuplexMode, sessionSeconds } from '../../../../shared/protocol/realtime-api.ts';
import type { ChatPlace } from '../../../../shared/model/local-model-state.ts';
import { displayAddress } from '../../../../shared/settings/endpoint.ts';
import type { Fault, GatewayOptions } from '../../../gateway/gateway-options.ts';
import { type BackendAddress, readBackendAddress } from '../../../app/model-server.ts';
import type { Backend } from '../../../gateway/backend.ts';
import {
  exitCode,
  UsageError,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import { loadModel } from '../load-model.ts';
import { unwrapOrExit, unwrapOrFail } from '../options/command-files.ts';
import type { CommandArguments, CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { NextInterrupt } from './run-session.ts';

const defaultPort = 8006;
/** How long running sessions with model servers may go on after the first Ctrl-C. */
const drainMs = 10_000;

const gatewayCommandSpec = {
  name: 'gateway',
  summary: 'run a MiniCPM-o gateway, for demonstrations, tests or in front of model servers',
  options: {
    port: {
      value: 'N',
      range: { min: 0, max: 65_535, integer: true },
      about: `the port to listen on (default: ${defaultPort}); 0 picks a free port`,
    },
    host: {
      value: 'H',
      filled: true,
      about:
        'the address to listen on (default: 127.0.0.1); 0.0.0.0 lets everyone who can reach this machine use it',
    },
    tls: {
      about: 'serves wss:// with a new self-signed certificate, and prints its fingerprint',
    },
    'allow-origin': {
      value: 'O',
      many: true,
      read: readOrigin,
      about: 'allows web pages of this origin, such as https://name; default: none; repeatable',
    },
    'mode-limits': {
      value: 'S',
      read: readLimits,
      about:
        'the seconds a session may last, such as video=300,audio=600; other modes keep their default',
    },
    dialect: {
      value: 'D',
      choices: ['unified', 'legacy'],
      about: 'the dialect of the protocol (default: unified)',
    },
    manners: {
      value: 'M',
      choices: ['documented', 'deployed', 'llama-omni'],
      about:
        'documented: follows the documents; deployed: behaves like real servers; llama-omni: like real servers with the C++ model server',
    },
    context: {
      value: 'N',
      range: { min: 100, max: 1_000_000, integer: true },
      about: "the size of the model's context in tokens (default: 8192)",
    },
    'step-ms': {
      value: 'N',
      range: { min: 1, max: 60_000, integer: true },
      about: 'the duration of a model step in ms (default: 200; real servers take about 1000)',
    },
    'lead-ms': {
      value: 'N',
      range: { min: 0, max: 10_000, integer: true },
      about: 'how far the text is ahead of its sound, in ms (default: 0)',
    },
    'input-ids': {
      value: 'I',
      choices: ['echoed', 'dropped'],
      about: 'whether answers carry the id of their input; default: only with --manners deployed',
    },
    usage: {
      about: 'reports the used tokens, as newer servers do',
    },
    tools: {
      about: 'accepts tools in talks; the demonstration calls one after its first answer',
    },
    record: {
      value: 'DIR',
      file: true,
      about: 'records each session in a file in this folder, with sound and pictures',
    },
    script: {
      value: 'F',
      file: true,
      about:
        'a JSON file with a list of faults to simulate, such as [{"kind":"drop","session":1,"atStep":3},{"kind":"delay","ms":200}]',
    },
    workers: {
      value: 'N',
      range: { min: 1, max: 10_000, integer: true },
      about: 'the maximum number of concurrent sessions (default: 4)',
    },
    queue: {
      value: 'N',
      range: { min: 0, max: 10_000, integer: true },
      about: 'the maximum number of waiting sessions (default: 100)',
    },
    backend: {
      value: 'URL',
      many: true,
      read: readBackend,
      about:
        'uses the model server at ws://host:port/backend instead of the demonstration; repeatable, one worker each',
    },
    'chat-backend': {
      value: 'URL',
      many: true,
      read: readBackend,
      about: 'a model server for chat only, while those of --backend only serve talks; repeatable',
    },
    model: {
      value: 'DIR',
      file: true,
      about:
        'runs llama-omni-server with the model in this folder, and uses it; on a card with less than 20 GB, clients wait in the queue while it changes between voice and chat',
    },
    server: {
      value: 'PATH',
      file: true,
      about:
        'the llama-omni-server for --model (default: searched on PATH and in the build folder)',
    },
    ...jsonOption,
  },
  notes: [
    'Ctrl-C stops the gateway. With model servers, running sessions get 10 s to finish; a second Ctrl-C ends them.',
  ],
} as const satisfies CommandSpec;

function readGatewayCommandOptions({ options }: CommandArguments<typeof gatewayCommandSpec>) {
  const { port = defaultPort, json, script, dialect, manners, workers, queue } = options;
  return {
    port,
    serving: {
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
    options: withoutUndefined({
      sessionSeconds: options.modeLimits,
      dialect,
      profile: manners,
      workers,
      queueLimit: queue,
      contextTokens: options.context,
      stepMs: options.stepMs,
      textLeadMs: options.leadMs,
      reportsUsage: options.usage ? true : undefined,
      takesTools: options.tools ? true : undefined,
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
  ['tools', '--tools'],
  ['inputIds', '--input-ids'],
] as const;

type GivenOptions = CommandArguments<typeof gatewayCommandSpec>['options'];

function listBackends(options: GivenOptions): readonly BackendAddress[] | undefined {
  const { backend, chatBackend } = options;
  if (options.server !== undefined && options.model === undefined)
    throw new UsageError('--server requires --model.');
  if (backend.length + chatBackend.length === 0 && options.model === undefined) return undefined;
  const clash = demonstrationOptions.find(
    ([name]) => options[name] !== undefined && options[name] !== false,
  );
  if (clash !== undefined) {
    throw new UsageError(
      `${clash[1]} configures the demonstration, so it cannot be combined with --backend, --chat-backend or --model.`,
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
    `"${displayAddress(text)}" is not the address of a model server, such as ws://127.0.0.1:22500/backend.`,
  );
}

type Choices = { readonly [Key in keyof GatewayOptions]?: GatewayOptions[Key] | undefined };

/** Drops undefined values, which would override the gateway's defaults. */
function withoutUndefined(choices: Choices): Partial<GatewayOptions> {
  const entries = Object.entries(choices).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function readLimits(text: string): Record<DuplexMode, number> {
  const limits: Record<DuplexMode, number> = { ...sessionSeconds };
  for (const part of text.split(',')) {
    const [, mode, seconds] = /^(audio|video)=(\d{1,6})$/.exec(part.trim()) ?? [];
    if (seconds === undefined || Number(seconds) === 0) {
      throw new UsageError(
        `--mode-limits takes seconds, such as video=300,audio=600, not "${text}".`,
      );
    }
    limits[mode as DuplexMode] = Number(seconds);
  }
  return limits;
}

/** Accepts an origin only in the form that browsers send. */
function readOrigin(text: string): string {
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: 'null' };
  const isOrigin = origin !== 'null' && text.replace(/\/$/, '').toLowerCase() === origin;
  if (isOrigin) return origin;
  throw new UsageError(
    `--allow-origin takes an origin, such as https://name or http://name:port, not "${text}".`,
  );
}

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
    const { port, serving, json, script, model, options } = readGatewayCommandOptions(given);
    const faults = script === undefined ? {} : { faults: await readGatewayScript(parley, script) };
    const workers = model === undefined ? [] : await startModel(parley, model, terminal);
    const others = serving.backends && (await parley.connectBackends(serving.backends));
    const backends = others && [...others, ...workers];
    const { url, fingerprint, drain } = unwrapOrFail(
      await parley.serveGateway({ ...options, ...faults }, port, { ...serving, backends }),
    );
    const trust =
      fingerprint === undefined ? '' : `\nThe fingerprint of its certificate is ${fingerprint}.`;
    const line = json
      ? JSON.stringify({ at: 0, event: 'listening', url, fingerprint })
      : `The gateway listens at ${url}; Ctrl-C stops it.${trust}`;
    terminal.out(`${line}\n`);
    await new NextInterrupt(terminal).pressed;
    // Sessions of the demonstration end at once.
    const drained = backends === undefined ? undefined : drain(drainMs);
    if (drained !== undefined) {
      const secondInterrupt = new NextInterrupt(terminal);
      terminal.err(
        'New sessions are refused; running sessions get 10 s to finish. Ctrl-C again ends them.\n',
      );
      await Promise.race([drained, secondInterrupt.pressed]);
      secondInterrupt.forget();
    }
    return exitCode.done;
  },
);

interface ModelPaths {
  readonly folder: string;
  readonly program: string;
}

/** Loads the model before the gateway listens, so that its first client does not wait. */
async function startModel(
  parley: Pick<TerminalCore, 'openModel'>,
  { folder, program }: ModelPaths,
  terminal: Terminal,
): Promise<readonly Backend[]> {
  const { server, chats, workers } = await parley.openModel(folder, program);
  // Until this load is measured, its estimate is the time of the last one.
  await server.recall();
  await loadModel(server, () => server.ready(), terminal);
  let lastPlace: ChatPlace['kind'] | undefined;
  chats.listen(() => {
    const { place } = chats;
    if (place?.kind === 'turns' && lastPlace !== 'turns')
      terminal.err(`Chats and talks take turns. ${describeAppError(place.error)}\n`);
    lastPlace = place?.kind;
  });
  return workers;
}

const maxScriptBytes = 1024 * 1024;
const session = z.int().min(1).optional();
const ms = z.number().min(0).max(3_600_000);
const atStep = z.union([z.int().min(1), z.enum(['admission', 'creation'])], {
  error: 'must be a step number from 1, "admission" or "creation"',
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

export async function readGatewayScript(
  { files }: Pick<TerminalCore, 'files'>,
  path: string,
): Promise<readonly Fault[]> {
  const text = unwrapOrExit(await files.readText(path, maxScriptBytes));
  const checked = script.safeParse(parseJson(path, text), { error: describeProblem });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new UsageError(`${path} ${describeIssue(issue)}.`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON.`, { cause: error });
  }
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const [index, ...field] = issue?.path ?? [];
  if (index === undefined) return 'must contain a list of faults, such as [{"kind": …}, …]';
  const location = field.length === 0 ? '' : `, at ${field.join('.')}`;
  return `has an error in fault ${Number(index) + 1}${location}: ${issue?.message ?? 'is invalid'}`;
}

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  object: 'an object, such as {"kind": "wedge"}',
};

function describeProblem(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_union':
      return `must be one of ${fault.options.map(({ shape }) => shape.kind.value).join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return `does not take ${issue.keys.join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
      return undefined;
  }
}
