import { done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/protocol/json.ts';
import type { Tool, ToolAnswer } from '../tool.ts';

type MaybeAsyncAnswer = Outcome<ToolAnswer> | Promise<Outcome<ToolAnswer>>;

interface OwnTool extends Pick<Tool, 'name' | 'description' | 'words'> {
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
  readonly run: (args: JsonObject) => MaybeAsyncAnswer;
}

/** A tool of Parley. Its schema refuses arguments that are not listed. */
export function ownTool({ properties, required = [], run, ...rest }: OwnTool): Tool {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { ...rest, schema, server: '', isRisky: false, run: async (args) => run(args) };
}

export const answer = (text: string): Outcome<ToolAnswer> => ({
  ...done,
  value: { text, isError: false },
});

/** A failure that the model can correct. */
export const problem = (text: string): Outcome<ToolAnswer> => ({
  ...done,
  value: { text, isError: true },
});

/** An argument that the schema has checked to be text; empty if it is missing. */
export function textArgument(args: JsonObject, name: string): string {
  const value: JsonValue | undefined = args[name];
  return typeof value === 'string' ? value : '';
}
