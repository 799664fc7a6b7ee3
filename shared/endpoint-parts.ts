import type { Failure } from './errors/app-error.ts';
import { failure } from './errors/app-error.ts';
import { shortened } from './errors/session-reasons.ts';

/** A value that has been checked, or the one sentence that says what is wrong with it, and its code. */
export type Checked<Value> = { readonly ok: true; readonly value: Value } | Failure;

/** Servers refuse headers beyond this anyway. */
export const maxTokenLength = 8000;

/** What the upgrade itself is made of; a second one of these would break it. */
const reserved = /^(connection|upgrade|host|content-length|transfer-encoding|sec-websocket-.*)$/i;

/** `Name: value`. A value may be a secret, so that no problem shows it. */
export function parseHeader(text: string): Checked<readonly [string, string]> {
  // Cut by hand: a pattern with spaces on both sides looks back again and again where there are thousands.
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at)).trimEnd();
  const value = text.slice(at + 1).trim();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return failure('headerForm');
  }
  if (reserved.test(name)) {
    return failure('headerReserved', { name: shortened(name) });
  }
  if (!/^[\x20-\x7e\t]*$/.test(value)) {
    return failure('headerCharacters', { name: shortened(name) });
  }
  return { ok: true, value: [name, value] };
}

/** `name=value`. */
export function parseQueryField(text: string): Checked<readonly [string, string]> {
  const at = text.indexOf('=');
  if (at < 1) {
    return failure('queryForm');
  }
  const name = text.slice(0, at);
  if (name === 'mode') {
    return failure('queryMode');
  }
  return { ok: true, value: [name, text.slice(at + 1)] };
}

/** SHA-256 in hexadecimal, with or without colons, as browsers and openssl show it. */
export function parseFingerprint(text: string | undefined): Checked<string | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const digits = text
    .trim()
    .replace(/^sha-?256[:=]?\s*(fingerprint=)?/i, '')
    .replaceAll(':', '');
  if (!/^[\da-f]{64}$/i.test(digits)) {
    return failure('fingerprintForm');
  }
  return { ok: true, value: digits.toUpperCase().replace(/(..)(?!$)/g, '$1:') };
}
