import { z } from 'zod';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Fault } from '../../../gateway/gateway.ts';
import { unwrapOrExit } from './command-files.ts';
import { UsageError } from '../exit-code.ts';

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

/** Reads a script: a JSON list of the faults that the gateway is to have. */
export async function readGatewayScript(
  { files }: Pick<Parley, 'files'>,
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
