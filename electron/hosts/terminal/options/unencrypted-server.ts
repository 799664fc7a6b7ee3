const loopback = /^(?:127(?:\.\d{1,3}){3}|(?:.+\.)?localhost|\[::1\])$/;

/** The server that everything goes to in the open, over a network; nothing where it is encrypted or stays here. */
export function unencryptedServer(url: string): string | undefined {
  if (!/^(?:ws|http):/i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return loopback.test(hostname) ? undefined : hostname;
}
