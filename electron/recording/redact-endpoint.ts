/** Scheme, host and path of an address: user, query and fragment can hold secrets. */
export function redactEndpoint(address: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^?#]*)/i.exec(address);
  if (parts === null) return address.split(/[?#]/, 1)[0] ?? '';
  const [, scheme = '', authority = '', path = ''] = parts;
  return `${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${path}`;
}

/** The same for every address within a text. */
export function redactEndpoints(text: string): string {
  return text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, redactEndpoint);
}
