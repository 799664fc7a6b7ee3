import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import type {
  ClientEvent,
  ClientEventProblem,
  ServerEvent,
} from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { randomRuns } from '../../../fakes/random-runs.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { clientEventVectors } from './wire-vectors.ts';
import { mutateFrame } from './mutate-frame.ts';
import { serverEventVectors } from './wire-vectors.ts';

const { decodeServerEvent } = createClientCodec(bufferBase64);
const { decodeClientEvent } = createServerCodec(bufferBase64);

const half = randomRuns(50_000);

/** The tests take seconds, and longer on a busy machine. */
const patience = 60_000;

/** Long enough to also reach the fast path that skips sound. */
const longAudio = 'AAAAPwAAgL4='.slice(0, 8).repeat(600);
const long = [
  { type: 'response.output.delta', kind: 'audio', audio: longAudio },
  { type: 'response.output_audio.delta', text: '今', audio: longAudio, end_of_turn: true },
  { type: 'input.append', input: { audio: longAudio, force_listen: true } },
];
const frames = [...serverEventVectors, ...clientEventVectors]
  .map(({ frame }) => JSON.stringify(frame))
  .concat(long.map((frame) => JSON.stringify(frame)));

function* mutations(seed: number): Generator<string> {
  const random = seeded(seed);
  for (let round = 0; round < half; round += 1) {
    yield mutateFrame(frames[Math.floor(random() * frames.length)] ?? '', random);
  }
}

describe('a hundred thousand mutated frames', () => {
  it(
    'are each read as a server event without a throw, and contain only usable values',
    () => {
      const seen = new Set<string>();
      for (const text of mutations(1)) {
        const event = decodeServerEvent(text);
        seen.add(event.kind);
        if (!isUsable(event)) expect.fail(text);
      }
      expect(seen.size).toBe(10);
    },
    patience,
  );

  it(
    'are each read as a client event without a throw, and contain only usable values',
    () => {
      const seen = new Set<string>();
      for (const text of mutations(2)) {
        for (const dialect of ['unified', 'legacy'] as const) {
          const clientEvent = decodeClientEvent(text, dialect);
          seen.add(clientEvent.kind === 'problem' ? clientEvent.code : clientEvent.kind);
          if (!isSendable(clientEvent)) expect.fail(text);
        }
      }
      expect(seen.size).toBe(8);
    },
    patience,
  );
});

function isUsable(event: ServerEvent): boolean {
  if (event.kind === 'malformed') return event.problem.endsWith('.');
  if (event.kind === 'output') return isSilentOrFinite(event.audio) && isTextOrNothing(event.text);
  if (event.kind === 'done') return typeof event.text === 'string' && isSilentOrFinite(event.audio);
  if (event.kind === 'error') return typeof event.code === 'string' && event.message !== '';
  return true;
}

function isSendable(clientEvent: ClientEvent | ClientEventProblem): boolean {
  if (clientEvent.kind === 'problem') return clientEvent.message !== '';
  if (clientEvent.kind === 'append')
    return isSilentOrFinite(clientEvent.audio) && (clientEvent.maxSlices ?? 1) <= 9;
  if (clientEvent.kind === 'chat') return clientEvent.messages.length > 0;
  return true;
}

function isTextOrNothing(text: unknown): boolean {
  return text === undefined || typeof text === 'string';
}

function isSilentOrFinite(audio: Float32Array | undefined): boolean {
  return audio?.every((sample) => Number.isFinite(sample)) ?? true;
}
