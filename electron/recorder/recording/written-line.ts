import { englishErrorMessage } from '../../../shared/i18n/en/describe-app-error.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { exactCoding } from '../../../shared/replay/tape-coding.ts';
import type { TapeEvent } from '../../../shared/replay/tape-event.ts';
import type { SocketEnd } from '../../ports/sockets.ts';
import { containsMediaReference, extractMedia } from './extract-media.ts';
import type { StoreMedia } from './extract-media.ts';
import type { TapeHeader } from './tape.ts';

type WireLine = { readonly dir: 'in' | 'out' } & (
  | { readonly frame: JsonObject }
  | { readonly text?: string }
);

/** A line without its time and connection, as it is written. */
export type WrittenLine =
  | WireLine
  | { readonly dir: 'open' }
  | { readonly dir: 'end'; readonly end: JsonObject }
  | { readonly dir: 'event'; readonly event: TapeEvent };

/** What passed on the wire, its media out of it. */
export function wireLine(dir: 'in' | 'out', text: string, storeMedia: StoreMedia): WireLine {
  try {
    const frame = parseJsonObject(text);
    // What a reader would take for a reference to our files is kept as the text that it is.
    if (frame === undefined || containsMediaReference(frame)) return { dir, text };
    return { dir, frame: extractMedia(frame, storeMedia) };
  } catch {
    // Nested deeper than can be walked.
    return { dir, text };
  }
}

export function endForTape(end: SocketEnd): JsonObject {
  if (end.kind === 'closed') return { ...end };
  if (end.kind === 'refused') return { ...end, body: redactEndpoints(end.body) };
  return { kind: end.kind, problem: redactEndpoints(englishErrorMessage(end.error)) };
}

/** Field by field, so that nothing gets on the tape that does not belong there. */
export function headerForTape(header: TapeHeader): TapeHeader {
  const { instructions, generation, maxSlices } = header.settings;
  return {
    format: header.format,
    version: header.version,
    mode: header.mode,
    dialect: header.dialect,
    chunkMs: header.chunkMs,
    settings: { instructions, generation, maxSlices },
    endpoint: redactEndpoint(header.endpoint),
    ...(header.sound === undefined || header.sound === exactCoding ? {} : { sound: header.sound }),
    recordedAt: header.recordedAt,
  };
}

/** Scheme, host and path of an address: user, query and fragment can hold secrets. */
function redactEndpoint(address: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^?#]*)/i.exec(address);
  if (parts === null) return address.split(/[?#]/, 1)[0] ?? '';
  const [, scheme = '', authority = '', path = ''] = parts;
  return `${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${path}`;
}

/** The same for every address within a text. */
function redactEndpoints(text: string): string {
  return text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, redactEndpoint);
}
