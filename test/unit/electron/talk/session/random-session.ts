import type { SessionOptions } from '../../../../../electron/talk/session/session.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import type { ServerEvent } from '../../../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import * as events from './session-harness.ts';
import { SessionHarness } from './session-harness.ts';

/** More settings than any mode and dialect supports: unsupported ones must not be sent. */
const everySetting: SessionOptions['settings'] = {
  instructions: 'Be kind.',
  voice: { model: new Float32Array(400).fill(0.1), speech: new Float32Array(400).fill(0.2) },
  generation: { lengthPenalty: 1.2, chunkMs: 1000 },
  maxSlices: 4,
};

const codes = [
  'not_ready',
  'unknown_event',
  'invalid_payload',
  'inference_error',
  'queue_full',
  'session_failed',
  'odd',
];
const closeCodes = [1000, 1001, 1003, 1006, 1008, 1009, 1011, 1013, 4000];
const reasons = ['timeout', 'backend_error', 'stopped', 'odd'];

type Action = (harness: SessionHarness, pick: Pick) => void;
type Pick = <Value>(values: readonly Value[]) => Value;

function saying(make: (pick: Pick, harness: SessionHarness) => ServerEvent): Action {
  return (harness, pick) => {
    harness.say(make(pick, harness));
  };
}

/** The newest id, an old one, a foreign one, or none. */
function anyId(pick: Pick, harness: SessionHarness): string | undefined {
  const ids = harness.appends.map(({ inputId }) => inputId);
  return pick([undefined, 'theirs', ids.at(-1), ids.at(-2), ids[0]]);
}

/** Actions that usually end a session. */
const lastActions: readonly Action[] = [
  (harness, pick) => harness.close(pick(closeCodes), pick(['', 'busy'])),
  (harness) => harness.socket.end({ kind: 'refused', status: 403, body: 'no' }),
  (harness) => harness.socket.end({ kind: 'unreachable', error: appError('badAddress') }),
  (harness) => harness.wait(200_000),
  (harness) => harness.session.end(),
  saying((pick) => events.error(pick(codes), pick(['', 'got 403']))),
  saying((pick) => ({
    kind: 'closed',
    reason: pick(reasons),
    diagnostic: pick([undefined, 'd']),
  })),
];

const actions: readonly Action[] = [
  (harness) => harness.open(),
  (harness) => harness.live(),
  (harness) => harness.socket.receive(undefined),
  (harness) => harness.socket.receive('garbage'),
  (harness, pick) => harness.wait(pick([1, 100, 1_000, 5_000])),
  (harness) => harness.speak(2),
  (harness, pick) => harness.session.pushAudio(new Float32Array(pick([0, 1, 320, 4_000, 40_000]))),
  (harness) => harness.session.pushFrame(Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)),
  (harness) => harness.session.setMaxSlices(2),
  (harness) => harness.session.ask({ messages: [{ role: 'user', content: 'hello' }] }),
  (harness) => harness.session.interrupt(),
  (harness) => harness.session.interrupt(),
  (harness) => harness.session.pause(),
  (harness) => harness.session.resume(),
  (harness) => harness.session.resume(),
  saying(() => events.admitted),
  saying(() => events.admitted),
  saying(() => events.created),
  saying(() => events.queued(1)),
  saying((pick, harness) => events.text('a', anyId(pick, harness))),
  saying((pick, harness) => events.sound(anyId(pick, harness), pick([0, 10]))),
  saying((pick, harness) => events.listen(anyId(pick, harness))),
  saying((pick) => events.delta('b', pick([true, false]))),
  saying(() => events.legacyListen),
  saying(() => ({ kind: 'done', text: 'x', audio: new Float32Array(5) })),
  saying((pick) => events.error(pick(['not_ready', 'unknown_event']))),
  saying(() => ({ kind: 'unknown', type: 'response.unit.x', raw: {} })),
  saying(() => ({ kind: 'malformed', problem: 'p' })),
  (harness, pick) => {
    if (pick([true, false, false])) pick(lastActions)(harness, pick);
  },
];

/** Plays a session with random actions. */
export function playRandomSession(seed: number): {
  readonly harness: SessionHarness;
  readonly mode: SessionOptions['mode'];
} {
  const random = seeded(seed);
  const pick: Pick = (values) => values[Math.floor(random() * values.length)] as (typeof values)[0];
  const mode = pick(['chat', 'audio', 'video'] as const);
  const options: Partial<SessionOptions> = {
    mode,
    dialect: pick(['auto', 'auto', 'unified', 'legacy']),
    rememberedDialect: pick([undefined, 'unified', 'legacy']),
    chunkMs: pick([0, 250, 1000]),
    settings: pick([{}, everySetting]),
  };
  const harness = new SessionHarness(options, seed);
  // Many runs begin with an open session, so that not all end early.
  if (harness.sockets.lines.length > 0) {
    if (random() < 0.7) harness.open().say(events.admitted);
    if (random() < 0.8) harness.say(events.created);
    for (let count = 60 * random(); count > 0; count -= 1) pick(actions)(harness, pick);
  }
  harness.session.end();
  harness.wait(3_000);
  return { harness, mode };
}
