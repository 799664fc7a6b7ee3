/** Every address under 127, an IPv4 one in an IPv6 address, and the names that stand for this machine. */
const loopback =
  /^(?:(?:.+\.)?localhost\.?|(?:::ffff:)?127(?:\.\d{1,3}){3}|(?:0*:)+0*1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/iu;

/**
 * Whether what is sent to a host never leaves this machine: no proxy is asked for it, whatever is set. A name under
 * `.localhost` is among them, because a proxy would look it up as its own.
 */
export function isLoopbackHost(host: string): boolean {
  return loopback.test(host.replace(/^\[|\]$/gu, ''));
}
