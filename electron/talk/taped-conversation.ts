import type { TapeBeginning, TapeEvent } from '../../shared/recordings/tape-event.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { ConversationDeps, ConversationOptions, RecordTalk } from './conversation-options.ts';

/**
 * The ports of a conversation of which everything is written down that its wire does not show. Its beginning is
 * written at once.
 */
export function tapedDeps(
  options: ConversationOptions,
  deps: ConversationDeps,
  { write, answered, sounded, devices }: RecordTalk,
  versions: TapeBeginning['versions'],
): ConversationDeps {
  const { talking, yielding = 'auto', reconnects = true, settings } = options;
  const { handsOver, sessionSeconds } = options;
  const { maxSlices: slices } = settings;
  write({
    kind: 'began',
    versions,
    talking,
    yielding,
    reconnects,
    handsOver,
    slices,
    sessionSeconds,
    ...devices,
  });
  return {
    ...deps,
    tape: { write },
    random: () => {
      const value = deps.random();
      write({ kind: 'chance', value });
      return value;
    },
    emit: (event) => {
      writeEmitted(write, event);
      if (event.event === 'text') answered?.(event.turn, 0);
      else if (event.event === 'audio') answered?.(event.turn, event.audio.length);
      deps.emit(event);
    },
    said: (samples, isPersons, voice) => {
      sounded?.('you', samples);
      deps.said?.(samples, isPersons, voice);
    },
    played: (samples) => {
      sounded?.('parley', samples);
      deps.played?.(samples);
    },
  };
}

function writeEmitted(write: (event: TapeEvent) => void, event: ConversationEvent): void {
  if (event.event === 'controls') write({ kind: 'controls', controls: event.controls });
  else if (event.event === 'floor') write({ kind: 'floor', floor: event.floor });
  else if (event.event === 'devices') write({ kind: 'devices', devices: event.devices });
  else if (event.event === 'closed' && event.error.code === 'lostInSleep')
    write({ kind: 'lostInSleep' });
}
