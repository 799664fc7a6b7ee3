// A child process: Parley as the browser host composes it, driven without a page.
import { openParley } from '../../electron/app/parley.ts';
import type { NoticeName, Notices } from '../../shared/ipc/contract.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';

/** `change` patches the settings and `quit` ends Parley; every other name is a page's request. */
export interface ParleyRequest {
  readonly id: number;
  readonly name: string;
  readonly input?: unknown;
}

export type ParleyMessage =
  | { readonly id: number; readonly reply: unknown }
  | { readonly notice: { readonly [Name in NoticeName]: Heard<Name> }[NoticeName] };

interface Heard<Name extends NoticeName> {
  readonly name: Name;
  readonly payload: Notices[Name];
}

const emit = (message: ParleyMessage): void => void process.send?.(message);

export async function run(url: string, dialect: 'auto' | DialectName): Promise<void> {
  const parley = openParley('browser', 'scenes');
  parley.machine.notices.listen((notice) => {
    emit({ notice });
  });
  const server = await parley.servers.endpoints.put({
    name: 'Studio',
    kind: 'local',
    url,
    dialect,
    headers: {},
    query: {},
  });
  if (!server.ok) throw new Error(server.error.code);
  parley.servers.settings.change({ endpoints: { chosen: server.value.id } });

  const answer = async ({ name, input }: ParleyRequest): Promise<unknown> => {
    if (name === 'change') return parley.servers.settings.change(input);
    if (name !== 'quit') return parley.answer(name, input);
    await parley.lifetime.end();
    return { ok: true };
  };
  const reply = async (request: ParleyRequest): Promise<void> => {
    emit({ id: request.id, reply: await answer(request) });
    if (request.name === 'quit') process.disconnect();
  };
  process.on('message', (request: ParleyRequest) => {
    void reply(request);
  });
  await parley.answer('talk', undefined);
  emit({ id: 0, reply: 'ready' });
}
