import type {
  ListenEvent,
  OutputEvent,
  ServerErrorEvent,
  ServerEvent,
} from '../../../../../shared/protocol/realtime-api.ts';

export const admitted: ServerEvent = { kind: 'admitted' };
export const created: ServerEvent = { kind: 'created', sessionId: 's' };

export function queued(position: number): ServerEvent {
  return { kind: 'queued', stage: 'joined', position, length: position + 1, etaSeconds: 20 };
}

export function text(words: string, inputId?: string): OutputEvent {
  return { kind: 'output', wire: 'unified', text: words, inputId };
}

export function sound(inputId?: string, samples = 24_000): OutputEvent {
  return { kind: 'output', wire: 'unified', audio: new Float32Array(samples), inputId };
}

export function listen(inputId?: string): ListenEvent {
  return { kind: 'listen', wire: 'unified', inputId };
}

export function delta(words: string, endOfTurn: boolean): OutputEvent {
  return {
    kind: 'output',
    wire: 'legacy',
    text: words,
    audio: new Float32Array(24_000),
    endOfTurn,
  };
}

export const legacyListen: ListenEvent = { kind: 'listen', wire: 'legacy' };

export function error(code: string, message = 'said so'): ServerErrorEvent {
  return { kind: 'error', code, message };
}

export function closed(reason: string, diagnostic?: string): ServerEvent {
  return { kind: 'closed', reason, diagnostic };
}
