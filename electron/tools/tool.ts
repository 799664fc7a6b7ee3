import type { Outcome } from '../../shared/errors/app-error.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';

/** A tool that the user switched on. */
export interface Tool {
  readonly name: string;
  /** Tells the model what the tool does. Another program wrote the description and schema of a server's tool. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly schema: JsonObject;
  /** The server that has it; empty for Parley's own. */
  readonly server: string;
  /** Distinguishes a server from an earlier one of the same name. Parley's own tools have none. */
  readonly serverId?: string;
  /** Whether Parley asks before each call, because the tool does not declare itself harmless. */
  readonly isRisky: boolean;
  /** Words of questions that the tool answers, in English and Chinese, for ranking tools. The model does not read them. */
  readonly words?: readonly string[];
  readonly run: (args: JsonObject, control: CallControl) => Promise<Outcome<ToolAnswer>>;
}

export interface CallControl {
  /** Registers the function that ends the running call. */
  readonly onStop: (stop: () => void) => void;
}

export interface ToolAnswer {
  readonly text: string;
  /** Whether the text reports a failure. */
  readonly isError: boolean;
}

/** Identifies a tool as the user saw it: by its server, its description and its arguments. */
export const toolKey = ({ server, serverId, name, description, schema, isRisky }: Tool): string =>
  JSON.stringify([server, serverId, name, description, schema, isRisky]);

/** A tool with the name by which the model calls it. */
export interface NamedTool {
  readonly callName: string;
  readonly tool: Tool;
}

/**
 * Names each tool for the model. Parley's own tools keep their names. If two names look alike, a server's tool gets the
 * name of its server as a prefix, so that it cannot receive calls to another tool.
 */
export function nameTools(tools: readonly Tool[]): readonly NamedTool[] {
  const taken = new Set<string>();
  const uses = new Map<string, number>();
  for (const { name } of tools)
    uses.set(comparableName(name), (uses.get(comparableName(name)) ?? 0) + 1);
  const own = tools.filter(({ server }) => server === '');
  const others = tools.filter(({ server }) => server !== '');
  return [...own, ...others].map((tool) => {
    const { name, server } = tool;
    const isAlone = server === '' || uses.get(comparableName(name)) === 1;
    const preferredName = callableName(isAlone ? name : `${server}__${name}`);
    let callName = preferredName;
    for (let count = 2; taken.has(comparableName(callName)); count += 1)
      callName = `${preferredName}_${count}`;
    taken.add(comparableName(callName));
    return { callName, tool };
  });
}

const maxNameLength = 64;

function callableName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/gu, '_').slice(0, maxNameLength);
  return plain === '' ? 'tool' : plain;
}

/** Names that differ only by case or separators look alike to a reader and to a model. */
const comparableName = (name: string): string =>
  callableName(name)
    .toLowerCase()
    .replaceAll(/(?<=[^_-])[_-](?=[^_-])/gu, '');
