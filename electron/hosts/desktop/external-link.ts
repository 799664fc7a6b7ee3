const maxLength = 2000;

/** One plain mailbox: nothing that is quoted, coded or a list. */
const mailbox = /^[a-z\d][a-z\d.!#$'*+/=^_`{|}~-]*@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;

/**
 * What the system may open in place of an address: pages and letters, since any other scheme could start
 * a program. A letter gets its receiver and no word more, or a page would write it and say what is enclosed.
 */
export function externalLink(address: string): string | undefined {
  if (address.length > maxLength || !URL.canParse(address)) return undefined;
  const { protocol, pathname, href } = new URL(address);
  if (protocol === 'http:' || protocol === 'https:') return href;
  return protocol === 'mailto:' && mailbox.test(pathname) ? `mailto:${pathname}` : undefined;
}
