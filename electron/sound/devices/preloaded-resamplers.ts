import type { Outcome } from '../../ports/outcome.ts';
import type { Resampler, SoundDriver } from '../../ports/sound.ts';
import { resample } from '../dsp/resample.ts';

type OpenConverter = (from: number, to: number) => Promise<Outcome<Resampler>>;

interface Ready {
  /** Opens streams together with what converts their sound, where the device has its own rate. */
  readonly driver: SoundDriver;
  /** Takes what was made for the stream that was opened last. */
  readonly convert: (from: number, to: number) => Resampler;
}

/**
 * A converter has to be loaded, and sound cannot wait: so it is made while the device is being
 * opened. For one speaker.
 */
export function preloadResamplers(driver: SoundDriver, open: OpenConverter): Ready {
  let waiting: (Resampler & { readonly rates: string }) | undefined;

  async function prepare(from: number, to: number): Promise<Outcome<undefined>> {
    const converter = await open(from, to);
    if (!converter.ok) return converter;
    closeWaiting();
    waiting = { ...converter.value, rates: `${from} ${to}` };
    return { ok: true, value: undefined };
  }

  async function withConverter<Stream extends KeptStream>(
    opened: Outcome<Stream>,
    ratesOf: (rate: number) => readonly [from: number, to: number],
  ): Promise<Outcome<Stream>> {
    if (!opened.ok) return opened;
    const [from, to] = ratesOf(opened.value.rate);
    if (from === to) return opened;
    const prepared = await prepare(from, to);
    if (!prepared.ok) {
      await opened.value.close();
      return prepared;
    }
    const its = waiting;
    const close = (): Promise<void> => {
      // Nobody took it: the stream came too late for whoever wanted it.
      if (waiting !== undefined && waiting === its) closeWaiting();
      return opened.value.close();
    };
    return { ok: true, value: { ...opened.value, close } };
  }

  function closeWaiting(): void {
    waiting?.close();
    waiting = undefined;
  }

  return {
    driver: {
      ...driver,
      openSpeaker: async (device, rate) =>
        withConverter(await driver.openSpeaker(device, rate), (its) => [rate, its]),
    },
    convert: (from, to) => {
      const taken = waiting?.rates === `${from} ${to}` ? waiting : undefined;
      if (taken !== undefined) waiting = undefined;
      return taken ?? withSeams(from, to);
    },
  };
}

/** At once, and better than none: each block is converted by itself. */
function withSeams(from: number, to: number): Resampler {
  return {
    convert: (block) => resample(block, from, to),
    restart: () => undefined,
    close: () => undefined,
  };
}

interface KeptStream {
  readonly rate: number;
  readonly close: () => Promise<void>;
}
