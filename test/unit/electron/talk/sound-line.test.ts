import { expect, it } from 'vitest';
import { soundLine } from '../../../../electron/talk/talk-reporter.ts';

const speaker = { devices: 2, latencyMs: 40.4, underruns: 3, repaired: 4 };
const microphone = {
  echo: 'heard' as const,
  captured: 16_000,
  lost: 5,
  repaired: 6,
  silenced: 7,
  devices: 1,
  latencyMs: 12,
};
const playout = {
  bufferMs: 0,
  targetMs: 0,
  concealedSamples: 480,
  concealmentEvents: 8,
  insertedSamples: 90,
  gapsOver20Ms: 10,
  startDelayMs: 110.6,
};

it('the sound log line reports faults of each part of the sound', () => {
  expect(soundLine({ microphone, speaker, playout })).toBe(
    'microphone 1 opened, latency 12 ms, 16000 samples captured, 5 lost, 6 repaired, ' +
      '7 of silence, echo heard; speaker 2 opened, latency 40 ms, 3 underruns, 4 samples repaired; ' +
      'answer concealed 8 times (480 samples), 90 samples inserted, 10 gaps, ' +
      'last begun after 111 ms',
  );
});

it('the sound log line omits parts that did not exist', () => {
  const unbegun = { ...playout, startDelayMs: undefined };
  expect(soundLine({ microphone: undefined, speaker, playout: unbegun })).toMatch(
    /^no microphone; speaker .*10 gaps$/,
  );
  expect(soundLine({ microphone, speaker, playout: undefined })).toMatch(/repaired$/);
});
