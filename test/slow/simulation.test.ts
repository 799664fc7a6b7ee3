import { describe, expect, it, vi } from 'vitest';
import { randomRuns } from '../fakes/seeded.ts';
import { shrink, simulate } from '../simulation/run-simulation.ts';
import type { SpeakerStream } from '../../electron/audio/devices/sound-driver.ts';
import type { ChatStore } from '../../electron/chat/stored-chat.ts';
import type { ConversationEvent } from '../../electron/talk/conversation-options.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { ParleyPorts } from '../simulation/simulated-parley.ts';
import type { PlantBug } from '../simulation/simulated-world.ts';

type Event<Name extends ConversationEvent['event']> = Extract<
  ConversationEvent,
  { readonly event: Name }
>;

/** Bugs of kinds that this project has had, planted in Parley's ports. A simulation must find each. */
const plantedBugs: Readonly<Record<string, PlantBug>> = {
  'a piece of an answer is lost': withWrites(
    (write, count) => (samples) => (count() % 7 === 0 ? samples.length : write(samples)),
  ),
  'a piece of an answer is played twice': withWrites((write, count) => (samples) => {
    if (count() % 7 === 0) write(samples);
    return write(samples);
  }),
  'the microphone stays open': (ports) => ({
    ...ports,
    sound: {
      systemMovesStreams: false,
      devices: ports.sound.devices,
      openSpeaker: ports.sound.openSpeaker,
      openMicrophone: async (...given) => {
        const opened = await ports.sound.openMicrophone(...given);
        if (!opened.ok) return opened;
        return { ok: true, value: { ...opened.value, close: () => Promise.resolve() } };
      },
    },
  }),
  'mute is shown and does not mute': altered('controls', (event) => ({
    ...event,
    controls: { ...event.controls, muted: true },
  })),
  'captions run ahead': altered('caption', (event) => {
    const { heard } = event.patch;
    return heard === undefined ? event : { ...event, patch: { ...event.patch, heard: heard + 60 } };
  }),
  'an ending has no words': altered('talk', (event) => {
    if (event.state.phase !== 'ended') return event;
    const error = appError('noRoute', { server: 'undefined' });
    return { ...event, state: { ...event.state, ending: { ...event.state.ending, error } } };
  }),
  'settings are not written': (ports) => ({
    ...ports,
    storage: {
      ...ports.storage,
      stateFile: (name) => ({
        ...ports.storage.stateFile(name),
        write: () => Promise.resolve({ ok: true, value: undefined }),
      }),
    },
  }),
  'the journal of a talk is not written': (ports) => ({
    ...ports,
    storage: {
      ...ports.storage,
      journal: {
        ...ports.storage.journal,
        write: () => Promise.resolve({ ok: true, value: undefined }),
      },
    },
  }),
  'the text of a talk is not written': (ports) => ({
    ...ports,
    storage: {
      ...ports.storage,
      talks: {
        ...ports.storage.talks,
        write: () => Promise.resolve({ ok: true, value: undefined }),
      },
    },
  }),
  'the messages of a conversation are not stored': withChats((chats) => ({
    ...chats,
    write: () => Promise.resolve({ ok: true, value: undefined }),
  })),
  'a conversation that was removed comes back': withChats((chats) => ({
    ...chats,
    remove: () => Promise.resolve({ ok: true, value: undefined }),
  })),
  'a tape loses lines': (ports) => ({
    ...ports,
    storage: { ...ports.storage, files: filesThatLose(ports) },
  }),
  'something is sent after the goodbye': (ports) => ({
    ...ports,
    server: {
      connect: (mode, listener) => {
        const socket = ports.server.connect(mode, listener);
        return {
          ...socket,
          close: (code, reason) => {
            socket.close(code, reason);
            socket.send('{"type":"input.append"}');
          },
        };
      },
    },
  }),
  'timers are left behind': (ports) => ({
    ...ports,
    talkEvent: (event) => {
      if (event.event === 'sent') ports.clock.after(3_600_000, () => undefined);
      return ports.talkEvent(event);
    },
  }),
};

function withChats(plantBug: (chats: ChatStore) => ChatStore): PlantBug {
  return (ports) => ({
    ...ports,
    storage: { ...ports.storage, chats: plantBug(ports.storage.chats) },
  });
}

type Write = SpeakerStream['write'];

function withWrites(plantBug: (write: Write, count: () => number) => Write): PlantBug {
  return (ports) => {
    let writes = 0;
    const count = (): number => (writes += 1);
    const { sound } = ports;
    return {
      ...ports,
      sound: {
        systemMovesStreams: false,
        devices: sound.devices,
        openMicrophone: sound.openMicrophone,
        openSpeaker: async (...given) => {
          const opened = await sound.openSpeaker(...given);
          if (!opened.ok) return opened;
          const stream = opened.value;
          const write = plantBug(stream.write, count);
          return { ok: true, value: { ...stream, write } };
        },
      },
    };
  };
}

function altered<Name extends ConversationEvent['event']>(
  name: Name,
  alter: (event: Event<Name>) => ConversationEvent,
): PlantBug {
  return (ports) => ({
    ...ports,
    talkEvent: (event) => {
      const reported = ports.talkEvent(event);
      return reported.event === name ? alter(reported as Event<Name>) : reported;
    },
  });
}

function filesThatLose({ storage: { files } }: ParleyPorts): ParleyPorts['storage']['files'] {
  let appends = 0;
  return {
    ...files,
    create: async (...given) => {
      const made = await files.create(...given);
      if (!made.ok) return made;
      return {
        ok: true,
        value: {
          ...made.value,
          append: (bytes) => {
            appends += 1;
            if (appends % 9 !== 0) made.value.append(bytes);
          },
        },
      };
    },
  };
}

const minute = 60_000;
/** Beside other tests a run takes many times as long. */
const timeout = 180_000;
/** New seeds for each run. A failed test names its seed, and `npm run simulate` repeats it with that seed, for 3 simulated minutes. */
const first = Math.floor(Math.random() * 1_000_000);
const seeds = Array.from({ length: randomRuns(6) }, (_, n) => first + n);

describe('a simulated world', () => {
  it.each(seeds)('breaks no invariant (seed %i, 3 minutes)', { timeout }, async (seed) => {
    const { wrong, simulatedMs, events } = await simulate(seed, 3 * minute);
    expect(wrong).toBeUndefined();
    expect(simulatedMs).toBeGreaterThan(2.5 * minute);
    // Some runs have few events.
    expect(events).toBeGreaterThan(20);
  });

  it('is the same for the same seed, event for event', { timeout }, async () => {
    const [one, other] = [await simulate(first, minute), await simulate(first, minute)];
    expect(other).toEqual(one);
  });

  it('is the same whether or not its modules were loaded before', { timeout }, async () => {
    vi.resetModules();
    const fresh = await import('../simulation/run-simulation.ts');
    const seed = 348_367;
    const one = await fresh.simulate(seed, 3 * minute);
    expect(await fresh.simulate(seed, 3 * minute)).toEqual(one);
  });

  it.each(Object.entries(plantedBugs))(
    'breaks an invariant if %s',
    { timeout },
    async (_, plantBug) => {
      let wrong: string | undefined;
      for (let seed = 1; wrong === undefined && seed <= 10; seed += 1)
        ({ wrong } = await simulate(seed, 5 * minute, { plantBug }));
      expect(wrong).toMatch(/\w+ \w+ \w+/u);
    },
  );

  it('shrinks a failed run to the steps that cause the failure', { timeout }, async () => {
    const plantBug = plantedBugs['something is sent after the goodbye'];
    const failed = await simulate(1, 5 * minute, { plantBug });
    const shrunk = await shrink(failed, 60, plantBug);
    expect(shrunk.wrong).toBe(failed.wrong);
    expect(shrunk.steps.length).toBeLessThan(5);
    const again = await simulate(1, Math.ceil(shrunk.simulatedMs), {
      steps: shrunk.steps,
      plantBug,
    });
    expect(again.wrong).toBe(failed.wrong);
  });
});
