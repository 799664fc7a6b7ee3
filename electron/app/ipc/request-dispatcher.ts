import { z } from 'zod';
import { failure, describeError } from '../../../shared/errors/app-error.ts';
import type { NoticeListener, PostedNotice, Reply } from '../../../shared/ipc/bridge.ts';
import {
  type Handlers,
  isRequestName,
  isSnapshotName,
  type Notice,
  type PostNotice,
  type RequestInput,
  type RequestName,
  requests,
  type RequestValue,
  snapshotChangedBy,
} from '../../../shared/ipc/contract.ts';
import { noPage, type Page } from '../../../shared/ipc/page.ts';
import { toOutcome } from '../../../shared/ipc/request-definition.ts';
import { Listeners } from '../../../shared/listeners.ts';
import type { Log } from '../../../shared/ports/log.ts';

/** Answers a request of any transport. Never rejects: every failure becomes a reply. */
export type RequestDispatcher = (
  name: unknown,
  input: unknown,
  page?: Page,
) => Promise<Reply<unknown>>;

/** The parts of the core that a transport uses. */
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
    if (!isRequestName(name)) return failure('unknownRequest', { name: shortName(name) });
    try {
      return await checkedCall(handlers, notices, name, input, page);
    } catch (error) {
      const text = describeError(error);
      log.write('error', `${name} failed: ${text}`);
      return failure('internalError', { error: text });
    }
  };
}

/** The requests, typed so that the compiler relates each name to its input. */
const schemas: {
  readonly [Name in RequestName]: { readonly input: z.ZodType<RequestInput<Name>> };
} = requests;

async function checkedCall<Name extends RequestName>(
  handlers: Handlers,
  notices: Pick<NoticeBoard, 'revision' | 'stampOf'>,
  name: Name,
  input: unknown,
  page: Page,
): Promise<Reply<RequestValue<Name>>> {
  const checked = schemas[name].input.safeParse(input);
  if (!checked.success) {
    const detail = `${name}: ${z.prettifyError(checked.error).replaceAll(/\s+/g, ' ')}`;
    return failure('notUnderstood', {}, { detail });
  }
  // Read before the handler runs, so the value is at least this new. A stamped value carries its exact revision.
  const { revision } = notices;
  const outcome = toOutcome(await handlers[name](checked.data, page));
  if (!outcome.ok || !isSnapshotName(name)) return outcome;
  return { ...outcome, revision: notices.stampOf(outcome.value) ?? revision };
}

function shortName(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, 64) : typeof name;
}

/** The core posts notices here; each transport listens. */
export class NoticeBoard {
  readonly #listeners: Listeners<PostedNotice>;
  readonly #stamps = new WeakMap<object, number>();
  #revision = 0;

  constructor(onListenerError?: (error: unknown) => void) {
    this.#listeners = new Listeners(onListenerError);
  }

  /** The number of notices posted. A value read now reflects all of them. */
  get revision(): number {
    return this.#revision;
  }

  readonly post: PostNotice = (name, payload) => {
    this.#revision += 1;
    // The type parameter ties the payload to its name; an object literal loses that tie.
    const notice = { name, payload } as Notice;
    this.#listeners.emit({ notice, revision: this.#revision, changes: snapshotChangedBy(name) });
  };

  listen(listener: NoticeListener): () => void {
    return this.#listeners.add(({ notice, revision, changes }) =>
      listener(notice, revision, changes),
    );
  }

  /** Records the revision of a value that becomes a reply later. */
  stamp<Value extends object>(value: Value): Value {
    this.#stamps.set(value, this.#revision);
    return value;
  }

  stampOf(value: unknown): number | undefined {
    return typeof value === 'object' && value !== null ? this.#stamps.get(value) : undefined;
  }
}
