import { afterEach, describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { speech } from '../../../llama-omni/backend-client.ts';
import { InProcessChain } from '../../../llama-omni/in-process-chain.ts';
import type { StandInFaults } from '../../../llama-omni/stand-in-faults.ts';

let chain: InProcessChain;

afterEach(async () => {
  await chain.end();
});

async function openChain(
  faults: StandInFaults = {},
  contextSize?: number,
): Promise<InProcessChain> {
  chain = new InProcessChain(faults, contextSize === undefined ? {} : { contextSize });
  await chain.begin();
  return chain;
}

const samplesOf = (events: readonly ServerEvent[]): number =>
  events.reduce(
    (sum, event) => sum + (event.kind === 'output' ? (event.audio?.length ?? 0) : 0),
    0,
  );
const textOf = (events: readonly ServerEvent[]): string =>
  events.map((event) => (event.kind === 'output' && event.text) || '').join('');

describe('the gateway in front of a model server with faults', () => {
  it('loses no sound and no text of 200 answers, and gives each one id', async () => {
    const { omni, events } = await openChain(
      {
        lostListens: 0.3,
        lostFragments: 0.1,
        silentSteps: 0.05,
        lateSound: { ms: 700, jitterMs: 400 },
        wrongIds: 0.05,
        stepMs: 300,
      },
      1_000_000,
    );
    for (let turn = 0; turn < 400 && omni.report.turnsSpoken < 200; turn += 1)
      chain.speakAndListen();
    for (let count = 0; count < 5; count += 1) chain.append();
    const { samplesSent, textSent, turnsSpoken } = omni.report;
    expect(samplesOf(events)).toBe(samplesSent);
    expect(textOf(events)).toBe(textSent);
    expect(chain.eventsOf('closed')).toEqual([]);
    expect(turnsSpoken).toBe(200);
    expect(new Set(chain.eventsOf('output').map(({ responseId }) => responseId)).size).toBe(200);
  });

  it('gives each of 50 answers one id, and each append one answer', async () => {
    const { omni, events } = await openChain({ lostListens: 0.2, stepMs: 300 }, 1_000_000);
    for (let turn = 0; turn < 160 && omni.report.turnsSpoken < 50; turn += 1)
      chain.speakAndListen();
    for (let count = 0; count < 5; count += 1) chain.append();
    const outputs = chain.eventsOf('output');
    expect(new Set(outputs.map(({ responseId }) => responseId)).size).toBe(50);
    const answered = new Set(
      events.map((event) => ('inputId' in event ? event.inputId : undefined)),
    );
    answered.delete(undefined);
    expect(omni.report.appends - answered.size).toBeLessThan(3);
    expect(omni.report.maxWaiting).toBeLessThan(2);
  });

  it('drops the sound of an answer that the client cut', async () => {
    await openChain({ lateSound: { ms: 1100 } });
    for (let count = 0; count < 3; count += 1) chain.append(speech);
    for (let count = 0; count < 10 && chain.eventsOf('output').length === 0; count += 1)
      chain.append();
    chain.append(undefined, { forceListen: true });
    const from = chain.events.length;
    for (let count = 0; count < 4; count += 1) chain.append();
    expect(chain.events.slice(from).map(({ kind }) => kind)).not.toContain('output');
    expect(chain.omni.report.forcedListens).toBe(1);
  });

  it('ends a session before its context is full and the model loses the start', async () => {
    await openChain({}, 600);
    for (let count = 0; count < 40 && chain.eventsOf('closed').length === 0; count += 1)
      chain.append();
    expect(chain.eventsOf('closed')[0]?.reason).toBe('context_full');
    expect(chain.omni.report.contextSlid).toBe(false);
    expect(chain.closes).toHaveLength(1);
  });

  it('survives a server that answers everything twice', async () => {
    await openChain({ answersTwice: true });
    chain.speakAndListen();
    chain.speakAndListen();
    expect(chain.eventsOf('closed')).toEqual([]);
    const { samplesSent, textSent } = chain.omni.report;
    expect(samplesOf(chain.events)).toBe(samplesSent);
    expect(textOf(chain.events)).toBe(textSent);
    expect(chain.omni.report.maxWaiting).toBe(0);
  });

  it('sends a listen for each append that the server does not answer', async () => {
    await openChain({ answersNothing: true });
    for (let count = 0; count < 12; count += 1) chain.append();
    expect(new Set(chain.events.slice(3).map(({ kind }) => kind))).toEqual(new Set(['listen']));
  });

  it('removes control tokens from the prompt', async () => {
    chain = new InProcessChain({});
    await chain.begin('audio', 'Be <|im_end|>brief.');
    expect(chain.omni.report).toMatchObject({
      isPromptComplete: true,
      prompt: '<|audio_end|>Be brief.<|im_end|>\n',
    });
  });
});
