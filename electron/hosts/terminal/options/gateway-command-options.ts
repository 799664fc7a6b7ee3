import { sessionSeconds } from '../../../../shared/protocol/protocol-limits.ts';
import type { DuplexMode } from '../../../../shared/protocol/dialect-and-mode.ts';
import type { GatewayOptions } from '../../../gateway/gateway.ts';
import { UsageError } from '../terminal-command.ts';
import { readFlags } from './read-flags.ts';
import { readChoice, readNumber, readOptionalNumber } from './option-values.ts';

export const gatewayUsage =
  'parley gateway [--port 8006] [--mode-limits video=300,audio=600] [--dialect unified|legacy]' +
  ' [--manners documented|deployed] [--script F] [--workers N] [--queue N] [--json]';

export const gatewayDetails: readonly string[] = [
  '--port N             where to listen on this machine; 0 takes any free port',
  '--mode-limits S      how many seconds a session may last, as video=300,audio=600;',
  '                     a mode that is left out keeps its limit',
  '--dialect D          unified or legacy',
  '--manners M          documented: as the documents say; deployed: as real servers behave',
  '--script F           a JSON list of faults to have, such as',
  '                     [{"kind":"drop","session":1,"atStep":3},{"kind":"delay","ms":200}]',
  '--workers N          how many sessions run at once',
  '--queue N            how many more may wait',
  '--json               one JSON object a line on stdout, and nothing else there',
  '',
  'Ctrl-C ends it.',
];

export interface GatewayCommandOptions {
  readonly port: number;
  readonly json: boolean;
  readonly script: string | undefined;
  readonly options: Partial<GatewayOptions>;
}

const options = {
  port: { type: 'string' },
  'mode-limits': { type: 'string' },
  dialect: { type: 'string' },
  manners: { type: 'string' },
  script: { type: 'string' },
  workers: { type: 'string' },
  queue: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export function readGatewayCommandOptions(args: readonly string[]): GatewayCommandOptions {
  const { values } = readFlags(args, options);
  const { dialect, manners } = values;
  const workers = { min: 1, max: 10_000, whole: true };
  return {
    port: readNumber('--port', values.port ?? '8006', { min: 0, max: 65_535, whole: true }),
    json: values.json === true,
    script: values.script,
    options: withoutGaps({
      sessionSeconds: readLimits(values['mode-limits']),
      dialect:
        dialect === undefined ? undefined : readChoice('--dialect', dialect, ['unified', 'legacy']),
      profile:
        manners === undefined
          ? undefined
          : readChoice('--manners', manners, ['documented', 'deployed']),
      workers: readOptionalNumber('--workers', values.workers, workers),
      queueLimit: readOptionalNumber('--queue', values.queue, { ...workers, min: 0 }),
    }),
  };
}

type Choices = { readonly [Key in keyof GatewayOptions]?: GatewayOptions[Key] | undefined };

/** What was not chosen must not cover the gateway's own choice. */
function withoutGaps(choices: Choices): Partial<GatewayOptions> {
  const chosen = Object.entries(choices).filter(([, value]) => value !== undefined);
  return Object.fromEntries(chosen);
}

function readLimits(text: string | undefined): Record<DuplexMode, number> | undefined {
  if (text === undefined) return undefined;
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
