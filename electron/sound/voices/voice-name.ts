import { failure } from '../../../shared/errors/app-error.ts';
import type { Outcome } from '../../ports/outcome.ts';

const maxNameLength = 60;

/** A name as it is kept: in one line, without what cannot be seen, and unlike the others. */
export function readVoiceName(text: string, taken: readonly string[]): Outcome<string> {
  const name = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  if (name === '') return failure('voiceNameless');
  if (Array.from(name).length > maxNameLength) {
    return failure('voiceNameLong', { most: maxNameLength });
  }
  // Joiners are part of emoji and of some scripts.
  if (/[\p{Cc}\p{Cs}\p{Co}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(name)) {
    return failure('voiceNameHidden');
  }
  if (isTaken(name, taken)) {
    return failure('voiceNameTaken', { name });
  }
  return { ok: true, value: name };
}

/** For a name that nobody has typed: a number makes it unlike the others. */
export function freeVoiceName(text: string, taken: readonly string[]): string {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const name =
    plain === ''
      ? 'Voice'
      : Array.from(plain)
          .slice(0, maxNameLength - 4)
          .join('');
  let [free, number] = [name, 1];
  while (isTaken(free, taken)) free = `${name} ${(number += 1)}`;
  return free;
}

function isTaken(name: string, taken: readonly string[]): boolean {
  return taken.some((other) => other.toLowerCase() === name.toLowerCase());
}
