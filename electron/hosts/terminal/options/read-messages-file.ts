import { z } from 'zod';
import type { Parley } from '../../../core/compose-parley.ts';
import type { ChatMessage } from '../../../../shared/protocol/client-event.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import { unwrapOrExit } from './command-files.ts';

const maxBytes = 4 * 1024 * 1024;

const messages = z
  .array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.string().min(1),
    }),
  )
  .max(10_000);

/** What was said before the question, as the documents write messages. */
export async function readMessagesFile(
  { files }: Pick<Parley, 'files'>,
  path: string,
): Promise<readonly ChatMessage[]> {
  const text = new TextDecoder().decode(unwrapOrExit(await files.read(path, maxBytes)));
  const read = messages.safeParse(parsed(text));
  if (read.success) return read.data;
  throw new CommandError(
    `${path}: these are no messages; write them as [{"role": "user", "content": "…"}, …].`,
    exitCode.wrongUsage,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
