import type { TalkRecordServer } from './talk-record.ts';

/** Scheme, host and path: the user, the query and the fragment of an address can hold secrets. */
export function recordedServer(name: string, address: string | undefined): TalkRecordServer {
  const parts = /^(?<scheme>[a-z][a-z\d+.-]*:\/\/)(?:[^/?#\\]*@)?(?<rest>[^?#@]*)/iu.exec(
    address ?? '',
  );
  if (parts === null) return { name };
  const { scheme = '', rest = '' } = parts.groups ?? {};
  return { name, address: `${scheme}${rest}` };
}
