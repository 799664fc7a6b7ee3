export interface SafeAddress {
  readonly address: string;
  /** Whom it leads to: a host as the network knows it, or a mailbox. */
  readonly shown: string;
}

const maxLength = 2000;

/** An address that may be opened, or nothing. The browser's own reader decides what an address is. */
export function safeAddress(text: string): SafeAddress | undefined {
  if (text.length > maxLength || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, href } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return { address: href, shown: host };
  if (protocol === 'mailto:') return { address: href, shown: pathname };
  return undefined;
}
