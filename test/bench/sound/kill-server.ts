import { setTimeout as wait } from 'node:timers/promises';
import { instant, Player } from '../../contract/sound/player.ts';
import type { Told } from '../../contract/sound/player.ts';
import type { SoundServer } from '../../contract/sound/sound-server.ts';
import { median } from './print-table.ts';
import type { Figures } from './print-table.ts';
import type { Stage } from './stage.ts';

const rounds = 20;

/** Ours through the whole speaker and microphone; naudiodon has nothing but its streams. */
export const killServer =
  (server: SoundServer) =>
  async (stage: Stage): Promise<Figures> => {
    if (stage.which === 'ours') {
      await stage.ask('close');
      stage.end();
      return killUnderPlayer(server);
    }
    await stage.ask('play');
    await wait(1000);
    await server.kill();
    await wait(3000);
    const cut = await stage.tell('cut', 5000);
    stage.end();
    return {
      killed: `nothing is told in 3 s; quit() ${cut === undefined ? 'never returns' : 'returns'}`,
    };
  };

async function killUnderPlayer(server: SoundServer): Promise<Figures> {
  const player = new Player(server.environment);
  const [noticed, back]: [number[], number[]] = [[], []];
  let first: number | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const from = player.figures;
    const grows = (told: Told): boolean => {
      const heard = (told.heard ?? 0) - (from?.heard ?? 0);
      return heard > 480 && (told.captured ?? 0) > (from?.captured ?? 0) + 320;
    };
    const sounding = await player.until('it plays and hears', from?.at ?? 0, grows);
    first ??= sounding.rss;
    const killedAt = instant();
    await server.kill();
    const missed = await Promise.all(
      ['speaker', 'microphone'].map((who) =>
        player.until('it is missed', killedAt, (told) => told.kind === 'lost' && told.who === who),
      ),
    );
    noticed.push(Math.max(...missed.map(({ at }) => at - killedAt)));
    await wait(500);
    const silent = player.figures?.heard ?? 0;
    await server.start();
    const backAt = instant();
    const sounds = await player.until('it plays again', backAt, (told) => {
      return (told.heard ?? 0) > silent + 480;
    });
    back.push(sounds.at - backAt);
  }
  const grown = ((player.figures?.rss ?? 0) - (first ?? 0)) / 1e6;
  await server.kill();
  const code = await player.askToEnd();
  player.kill();
  await server.start();
  return {
    killed:
      `noticed ${median(noticed)} ms (most ${Math.max(...noticed).toFixed(0)}), sound again ` +
      `${median(back)} ms (most ${Math.max(...back).toFixed(0)}) of ${rounds}, ` +
      `${grown.toFixed(1)} MB more, exit ${code ?? 'never'}`,
  };
}
