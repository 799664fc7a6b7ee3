import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an X server on this machine is spoken to. */
export interface XDisplay {
  readonly socket: string;
  readonly number: number;
  readonly screen: number;
}

/** What an X server lets a program in by; both empty where it asks for nothing. */
export interface XPermit {
  readonly name: string;
  readonly data: Buffer;
}

/** The display that `DISPLAY` names (`:0`, `unix:0`, `:10.1`); undefined where it is none of this machine. */
export function localDisplay(environment: Environment): XDisplay | undefined {
  const found = /^(?:unix)?:(\d{1,5})(?:\.(\d{1,3}))?$/.exec(environment['DISPLAY'] ?? '');
  if (found === null) return undefined;
  const [, number = '', screen = '0'] = found;
  return {
    socket: `/tmp/.X11-unix/X${number}`,
    number: Number(number),
    screen: Number(screen),
  };
}

/** What the session has left for its programs; without it only a server that lets everybody in does. */
export async function permitFor({ number }: XDisplay, environment: Environment): Promise<XPermit> {
  const file = environment['XAUTHORITY'] ?? join(environment['HOME'] ?? homedir(), '.Xauthority');
  const entries = await readFile(file).then(entriesOf, () => []);
  const found = entries.find(
    (entry) =>
      entry.name === cookie &&
      (entry.number === '' || entry.number === String(number)) &&
      (entry.family === anywhere || (entry.family === local && entry.address === hostname())),
  );
  return found ?? { name: '', data: Buffer.alloc(0) };
}

const cookie = 'MIT-MAGIC-COOKIE-1';
const local = 256;
const anywhere = 65_535;

interface AuthorityEntry extends XPermit {
  readonly family: number;
  readonly address: string;
  readonly number: string;
}

/** As `xauth` writes them: a family, then four fields, each after its length, in the network's order of bytes. */
function entriesOf(file: Buffer): readonly AuthorityEntry[] {
  const entries: AuthorityEntry[] = [];
  let at = 0;
  const field = (): Buffer => {
    const length = file.readUInt16BE(at);
    at += 2 + length;
    if (at > file.length) throw new RangeError('the file ends in the middle of an entry');
    return file.subarray(at - length, at);
  };
  try {
    while (at < file.length) {
      const family = file.readUInt16BE(at);
      at += 2;
      const [address, number, name] = [field(), field(), field()].map(String);
      entries.push({
        family,
        address: address ?? '',
        number: number ?? '',
        name: name ?? '',
        data: field(),
      });
    }
  } catch {
    // What was cut off says nothing; what stands before it does.
  }
  return entries;
}
