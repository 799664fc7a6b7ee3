import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import type { AppError } from '../errors/app-error.ts';
import { showHidden } from '../text.ts';

export const maxToolServers = 30;
/** Limit per server; further tools are ignored. */
export const maxServerTools = 200;

const text = (maxLength: number) => z.string().max(maxLength);

/** A tool as its server describes it, and whether the user switched it on. */
const serverTool = z.object({
  name: z.string().min(1).max(200),
  description: text(4000),
  schema: z.custom<JsonObject>(isJsonObject),
  isRisky: z.boolean(),
  isOn: z.boolean(),
});

export const toolServer = z.object({
  id: z.string().regex(/^[\da-v]{1,64}$/u),
  name: z.string().min(1).max(100),
  /** A program with its arguments, or an address. */
  place: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('program'),
      command: z.string().min(1).max(4000),
      args: z.array(text(4000)).max(100),
      cwd: text(4000).optional(),
    }),
    z.object({ kind: z.literal('address'), url: z.string().max(4000) }),
  ]),
  tools: z.array(serverTool).max(maxServerTools),
});

export type ServerTool = Readonly<z.infer<typeof serverTool>>;
/** A configured tool server. The values of its environment and headers are stored with the tokens. */
export type ToolServer = Readonly<z.infer<typeof toolServer>>;

/** A tool server as Settings shows it. */
export interface ToolServerView {
  readonly id: string;
  readonly name: string;
  /** The command line or address. */
  readonly place: string;
  readonly state: 'idle' | 'starting' | 'running';
  /** The last failure, until the server works again. */
  readonly error?: AppError | undefined;
  readonly tools: readonly Omit<ServerTool, 'schema'>[];
}

/**
 * The command line with its folder, or the address, and the names of variables or headers, on one line. The user allows
 * a server by this text, so it shows every character, and where each argument ends.
 */
export function describePlace(
  { place }: Pick<ToolServer, 'place'>,
  values: readonly string[] = [],
): string {
  const names = values.length === 0 ? '' : ` (${values.map(quoteWord).join(', ')})`;
  if (place.kind === 'address') return showHidden(place.url) + names;
  const { command, args, cwd } = place;
  const line = [command, ...args].map(quoteWord).join(' ') + names;
  return cwd === undefined ? line : `cd ${quoteWord(cwd)} && ${line}`;
}

const quoteWord = (word: string): string =>
  showHidden(/^[^\s"]+$/u.test(word) ? word : JSON.stringify(word));

export const maxReminders = 100;
export const maxReminderText = 500;

export const storedReminders = z.object({
  reminders: z
    .array(
      z.object({
        id: z.number().int().min(1),
        at: z.number().min(0),
        text: z.string().max(maxReminderText),
        due: z.boolean().optional(),
      }),
    )
    .max(maxReminders),
});

export const maxSharedPaths = 50;
export const maxAlwaysAllowed = 500;

const name = z.string().max(200);

export const storedTools = z.object({
  servers: z.array(toolServer).max(maxToolServers).default([]),
  /** Files and folders that the user shared. */
  places: z.array(z.string().max(4000)).max(maxSharedPaths).default([]),
  always: z
    .array(z.object({ server: name, tool: name }))
    .max(maxAlwaysAllowed)
    .default([]),
});

export type StoredTools = Readonly<z.infer<typeof storedTools>>;
