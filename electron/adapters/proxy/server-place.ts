/** A server as a connection is made to it; an IPv6 address without its brackets. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

export function hostPortText({ host, port }: ServerPlace): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
