import type { Endpoint } from './endpoint.ts';

/** Shorter ones are words that occur anyway; nobody protects anything with them. */
const minSecretLength = 6;

/** Query fields that are known to be no secret; of any other nobody can say. */
const openFields: ReadonlySet<string> = new Set(['model', 'mode']);

const mask = '•••';

/** What a server was given to know us by: its answers may repeat it, and nobody else is to see it. */
export function secretsOf({ token, headers, query }: Endpoint): readonly string[] {
  const fields = Object.entries(query).filter(([name]) => !openFields.has(name.toLowerCase()));
  const all = [token, ...Object.values(headers), ...fields.map(([, value]) => value)];
  const long = all.filter((value) => value !== undefined && value.length >= minSecretLength);
  // Longer ones first, so that one that holds another is taken whole.
  return [...new Set(long as string[])].toSorted((a, b) => b.length - a.length);
}

/** A text without them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, mask), text);
}
