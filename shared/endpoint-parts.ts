import type { Why } from './why.ts';

/** A value that has been checked, or the one sentence that says what is wrong with it, and its code. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string; readonly why?: Why | undefined };

/** Servers refuse headers beyond this anyway. */
export const maxTokenLength = 8000;

/** What the upgrade itself is made of; a second one of these would break it. */
const reserved = /^(connection|upgrade|host|content-length|transfer-encoding|sec-websocket-.*)$/i;

/** `Name: value`. A value may be a secret, so that no problem shows it. */
export function parseHeader(text: string): Checked<readonly [string, string]> {
  const [, name, value = ''] = /^([^:]*?)\s*:\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === undefined || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return { ok: false, problem: 'A header is written as "Name: value".', why: 'headerForm' };
  }
  if (reserved.test(name)) {
    const problem = `The header ${name} belongs to the connection itself.`;
    return { ok: false, problem, why: { is: 'headerReserved', name } };
  }
  if (!/^[\x20-\x7e\t]*$/.test(value)) {
    const problem = `The header ${name} has characters in it that no header can carry.`;
    return { ok: false, problem, why: { is: 'headerCharacters', name } };
  }
  return { ok: true, value: [name, value] };
}

/** `name=value`. */
export function parseQueryField(text: string): Checked<readonly [string, string]> {
  const at = text.indexOf('=');
  if (at < 1) {
    return { ok: false, problem: 'A query field is written as "name=value".', why: 'queryForm' };
  }
  const name = text.slice(0, at);
  if (name === 'mode') {
    const problem = 'The query field mode is chosen by what you do, not by hand.';
    return { ok: false, problem, why: 'queryMode' };
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
    const problem = 'A fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits.';
    return { ok: false, problem, why: 'fingerprintForm' };
  }
  return { ok: true, value: digits.toUpperCase().replace(/(..)(?!$)/g, '$1:') };
}
