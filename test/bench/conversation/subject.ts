// What is measured, in a process of its own: a session whose answer is played by the real speaker.
import { createAdaptivePlayback } from '../../../electron/audio/adaptive-playback.ts';
import type { PlayoutFigures } from '../../../electron/audio/adaptive-playback.ts';
import { composeParley } from '../../../electron/compose.ts';
import { parseEndpoint } from '../../../shared/endpoint.ts';
import { outputRate } from '../../../shared/protocol/limits.ts';

export type Told =
  | { readonly word: 'live' | 'ended' }
  | { readonly word: 'figures'; readonly figures: PlayoutFigures; readonly underruns: number };

const tell = (told: Told): void => void process.send?.(told);

export async function run(url: string): Promise<void> {
  const parley = composeParley('terminal', 'bench');
  const speaker = await parley.openSpeaker('default', () => undefined);
  const playback = createAdaptivePlayback({
    rate: outputRate,
    clock: parley.clock,
    stepMs: 1000,
    speaker,
    heard: () => undefined,
  });
  const endpoint = parseEndpoint({ url });
  if (!endpoint.ok) throw new Error(endpoint.problem);
  const session = parley.openSession(
    { mode: 'audio', settings: {}, dialect: 'legacy', chunkMs: 1000 },
    {
      sockets: parley.connectTo(endpoint.value),
      tell: (event) => {
        if (event.event === 'state' && event.state === 'live') tell({ word: 'live' });
        if (event.event === 'audio') playback.write(event.audio, event.turn);
        if (event.event === 'turnEnded') playback.turnEnded(event.turn);
        if (event.event === 'listen' && event.yields) playback.flush();
      },
    },
  );
  const began = parley.clock.now();
  const moving = setInterval(() => {
    playback.advanceTo(parley.clock.now() - began);
  }, 20);
  process.on('message', (word) => {
    if (word === 'look')
      tell({
        word: 'figures',
        figures: playback.figures(),
        underruns: speaker.counters().underruns,
      });
    if (word !== 'end') return;
    clearInterval(moving);
    playback.flush();
    session.end();
    void end();
  });

  async function end(): Promise<void> {
    await parley.lifetime.end();
    process.disconnect();
  }
}
