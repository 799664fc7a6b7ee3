import { redactSecrets } from '../../../shared/endpoint-secrets.ts';

/** Longer runs are no words of any language, but sound and pictures as base64. */
const media = /[\w+/=\\-]{160,}/gu;
const maxShown = 8000;

/**
 * A frame as it may be looked at: secrets veiled, media by their length, and not more of the rest than
 * anybody reads.
 */
export function redactWireFrame(text: string, secrets: readonly string[]): string {
  // Secrets first: a run of base64 that is cut out around one would leave the rest of it.
  const veiled = secrets.length === 0 ? text : redactSecrets(text, inEveryEncoding(secrets));
  const plain = veiled.replaceAll(media, (run) => `‹${run.length} characters›`);
  if (plain.length <= maxShown) return plain;
  return `${plain.slice(0, maxShown)}… ‹${plain.length - maxShown} more›`;
}

/** As it is, within JSON, and within an address. */
function inEveryEncoding(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]);
}
