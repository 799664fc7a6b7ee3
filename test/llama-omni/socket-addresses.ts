import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Addresses in /proc/net, as `local → remote`, of every internet socket of the process. Linux only. */
export function socketAddresses(pid: number): readonly string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed meanwhile.
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/u))
      .filter((fields) => inodes.has(fields[9] ?? ''))
      .map(([, local = '', remote = '']) => `${local} → ${remote}`),
  );
}

const loopback = '0100007F';
const mappedLoopback = '0000000000000000FFFF00000100007F';
const loopback6 = '00000000000000000000000001000000';
const own = new Set([loopback, mappedLoopback, loopback6]);

/** Whether both ends are on loopback; a listening socket has no remote end. */
export function isLoopback(socket: string): boolean {
  const [local = '', remote = ''] = socket.split(' → ').map((end) => end.split(':')[0]);
  return own.has(local) && (own.has(remote) || /^0+$/u.test(remote));
}
