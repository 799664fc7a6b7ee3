import { setTimeout as wait } from 'node:timers/promises';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { instant, Player, type PlayerMessage } from '../../contract/sound/player.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { type BenchResults, median } from './print-table.ts';
import { recordFrom } from './sound-processes.ts';
import type { MeasuredProcess } from './measured-process.ts';

const rounds = 20;

/** Kills the sound server. Our path recovers through speaker and microphone; naudiodon has only streams. */
export const killServer =
  (server: SoundServer) =>
  async (subject: MeasuredProcess): Promise<BenchResults> => {
    if (subject.which === 'ours') {
      await subject.ask('close');
      subject.end();
      return {
        killed: await killUnderPlayer(new SoundServer('short')),
        killedLong: await killUnderPlayer(new SoundServer('long')),
      };
    }
    await subject.ask('play');
    await wait(1000);
    await server.kill();
    await wait(3000);
    const flushed = await subject.request('flush', 5000);
    subject.end();
    return {
      killed: `no callback within 3 s; quit() ${flushed === undefined ? 'never returns' : 'returns'}`,
    };
  };

async function killUnderPlayer(server: SoundServer): Promise<string> {
  await server.start();
  const player = new Player(server.environment);
  const noticed: number[] = [];
  const returns: Return[] = [];
  let first: number | undefined;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const from = player.stats;
      const grows = (message: PlayerMessage): boolean => {
        const heard = (message.heard ?? 0) - (from?.heard ?? 0);
        return heard > 480 && (message.captured ?? 0) > (from?.captured ?? 0) + 320;
      };
      const sounding = await player.until('playback and capture', from?.at ?? 0, grows);
      first ??= sounding.rss;
      const killedAt = instant();
      await server.kill();
      const isLost = (who: string) => (message: PlayerMessage) =>
        message.kind === 'lost' && message.who === who;
      const missed = await Promise.all(
        ['speaker', 'microphone'].map((who) =>
          player.until('a lost device', killedAt, isLost(who)),
        ),
      );
      noticed.push(Math.max(...missed.map(({ at }) => at - killedAt)));
      await wait(500);
      await server.start();
      returns.push(await watchReturn(server, player));
    }
    const grown = ((player.stats?.rss ?? 0) - (first ?? 0)) / 1e6;
    await server.kill();
    const code = await player.askToEnd();
    const of = (key: keyof Return): string => words(returns.map((one) => one[key]));
    return (
      `noticed ${words(noticed)}, at the monitor again ${of('monitor')}, captured again ` +
      `${of('captured')} (plain parec: there ${of('rigMonitor')}, here ${of('rigCaptured')}), ` +
      `${grown.toFixed(1)} MB more, exit ${code ?? 'never'}`
    );
  } finally {
    player.kill();
    await server.end();
  }
}

/** Milliseconds since the server answers again. */
interface Return {
  /** When our speaker's sound arrives. */
  readonly monitor: number;
  /** When our microphone's first block arrives. */
  readonly captured: number;
  /** When the rig's own listeners get their first sample, which may be silence. */
  readonly rigMonitor: number;
  readonly rigCaptured: number;
}

async function watchReturn(server: SoundServer, player: Player): Promise<Return> {
  const backAt = instant();
  const { captured = 0 } = player.stats ?? {};
  const times: { monitor?: number; rigMonitor?: number; rigCaptured?: number } = {};
  // The player's sound is quiet but never zero.
  const isSound = (sample: number): boolean => Math.abs(sample) > 0.0005;
  const recorders = [
    recordFrom('speaker.monitor', outputRate, server.environment, (block, at) => {
      times.rigMonitor ??= at - backAt;
      if (block.some(isSound)) times.monitor ??= at - backAt;
    }),
    recordFrom('micsrc', inputRate, server.environment, (_block, at) => {
      times.rigCaptured ??= at - backAt;
    }),
  ];
  const hears = await player.until('capture again', backAt, (message) => {
    return (message.captured ?? 0) > captured + inputRate / 50;
  });
  const isThere = (): boolean => times.monitor !== undefined && times.rigCaptured !== undefined;
  for (let waited = 0; !isThere() && waited < 10_000; waited += 20) await wait(20);
  for (const recorder of recorders) recorder.end();
  const { monitor = Infinity, rigMonitor = Infinity, rigCaptured = Infinity } = times;
  return { monitor, captured: hears.at - backAt, rigMonitor, rigCaptured };
}

function words(times: readonly number[]): string {
  return `${median(times)} ms (most ${Math.max(...times).toFixed(0)})`;
}
