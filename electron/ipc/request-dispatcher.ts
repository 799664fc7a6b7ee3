import { failure } from '../../shared/errors/app-error.ts';
import { z } from 'zod';
import { requestChecks } from '../../shared/ipc/checks.ts';
import { isRequestName } from '../../shared/ipc/contract.ts';
import type { Handlers, RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import { successReply } from '../../shared/ipc/reply.ts';
import { noPage } from '../../shared/ipc/page.ts';
import type { Page } from '../../shared/ipc/page.ts';
import type { Reply } from '../../shared/ipc/reply.ts';
import { describeError } from '../../shared/describe-error.ts';
import { isSnapshotName } from '../../shared/ipc/snapshots.ts';
import type { Log } from '../ports/log.ts';
import type { NoticeBoard } from './notice-board.ts';
import { RequestRefusedError } from './request-refused-error.ts';

/** Answers one request of any transport. Never rejects: whatever happens becomes a reply. */
export type RequestDispatcher = (
  name: unknown,
  input: unknown,
  page?: Page,
) => Promise<Reply<unknown>>;

/** Of the core, what a transport needs. */
export interface IpcCore {
  readonly answer: RequestDispatcher;
  readonly notices: Pick<NoticeBoard, 'listen'>;
  readonly log: Log;
}

export function createRequestDispatcher(
  handlers: Handlers,
  log: Log,
  notices: Pick<NoticeBoard, 'revision' | 'stampOf'>,
): RequestDispatcher {
  return async (name, input, page = noPage) => {
    if (!isRequestName(name)) {
      return failure('unknownRequest', { name: printable(name) });
    }
    try {
      return await checkedCall(handlers, notices, name, input, page);
    } catch (error) {
      if (error instanceof RequestRefusedError) return { ok: false, error: error.error };
      const text = describeError(error);
      log.write('error', `${name} failed: ${text}`);
      return failure('internalError', { error: text });
    }
  };
}

async function checkedCall<Name extends RequestName>(
  handlers: Handlers,
  notices: Pick<NoticeBoard, 'revision' | 'stampOf'>,
  name: Name,
  input: unknown,
  page: Page,
): Promise<Reply<RequestValue<Name>>> {
  const checked = requestChecks[name].safeParse(input);
  if (!checked.success) {
    const detail = `${name}: ${z.prettifyError(checked.error).replaceAll(/\s+/g, ' ')}`;
    return failure('notUnderstood', {}, { detail });
  }
  // At the latest it is as old as this, and what is as old as it is at the end says so by its stamp.
  const { revision } = notices;
  const value = await handlers[name](checked.data, page);
  return successReply(
    value,
    isSnapshotName(name) ? (notices.stampOf(value) ?? revision) : undefined,
  );
}

function printable(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, 64) : typeof name;
}
