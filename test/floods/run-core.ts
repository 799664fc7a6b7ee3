import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { wireReason } from '../../shared/errors/session-reasons.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';

const chunk = new Float32Array(16_000);

/** Runs a talk through the whole core, with a real socket and a fake sound card. */
export async function runCore(
  url: string,
): Promise<{ readonly end: string; readonly noticeCount: number }> {
  const sockets = createWebSockets({ url, headers: {}, query: {}, insecure: false });
  const core = coreWithFakes(process.env['PARLEY_STATE_DIR'] ?? '', systemClock, {
    embeddedGateway: () => Promise.resolve({ ok: true, value: sockets }),
  });
  // A hand-over would begin the flood again in the next session.
  core.settings.change({ talking: { longTalks: 'ask' } });
  let noticeCount = 0;
  const ended = new Promise<string>((resolve) => {
    core.notices.listen(({ name, payload }) => {
      noticeCount += 1;
      if (name === 'talkState' && payload.phase === 'live')
        core.devices.microphones.at(-1)?.hear(chunk);
      if (name === 'talkState' && payload.phase === 'ended')
        resolve(wireReason(payload.ending.error));
    });
  });
  await core.ask('startTalk', { mode: 'audio' });
  const speak = setInterval(() => core.devices.microphones.at(-1)?.hear(chunk), 250);
  const play = setInterval(() => core.devices.speakers.at(-1)?.plays(960), 40);
  const end = await ended;
  clearInterval(speak);
  clearInterval(play);
  await core.lifetime.end();
  return { end, noticeCount };
}
