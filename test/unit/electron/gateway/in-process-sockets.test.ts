import { describe, expect, it } from 'vitest';
import type { ClientSocket } from '../../../../electron/gateway/connection-context.ts';
import type { Fault } from '../../../../electron/gateway/gateway-options.ts';
import type { Gateway } from '../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import type { SocketEnd } from '../../../../shared/ports/sockets.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { writePlain } from '../../../fakes/plain-codec.ts';
import { setGatewayScene, silence } from './gateway-client.ts';

function connectTo(mode: string, faults: readonly Fault[] = []) {
  const scene = setGatewayScene({ faults });
  const heard: string[] = [];
  const ends: SocketEnd[] = [];
  const socket = inProcessSockets(scene.gateway, scene.clock).connect(mode, {
    opened: () => heard.push('opened'),
    received: (text) => {
      const event = text === undefined ? { kind: 'binary' } : (JSON.parse(text) as object);
      heard.push('kind' in event ? String(event.kind) : 'no kind');
    },
    ended: (end) => {
      heard.push('ended');
      ends.push(end);
    },
  });
  return { ...scene, heard, ends, socket };
}

describe('the gateway in process', () => {
  it('opens, carries messages both ways, and ends as the gateway ends it', () => {
    const { clock, heard, ends, socket } = connectTo('audio');
    clock.advance(1);
    socket.send(writePlain({ kind: 'configure', settings: {} }));
    clock.advance(300);
    socket.send(writePlain({ kind: 'append', audio: silence(1000) }));
    clock.advance(300);
    socket.send(writePlain({ kind: 'close', reason: 'user_stop' }));
    clock.advance(1);
    expect(heard).toEqual(['opened', 'admitted', 'created', 'listen', 'closed', 'ended']);
    expect(ends).toEqual([{ kind: 'closed', code: 1000, reason: 'user_stop' }]);
  });

  it('delivers asynchronously, never during a call', () => {
    const { clock, heard, socket } = connectTo('audio');
    expect(heard).toEqual([]);
    clock.advance(0);
    heard.length = 0;
    socket.send('{"kind":');
    expect(heard).toEqual([]);
    clock.advance(0);
    expect(heard).toEqual(['closed', 'ended']);
  });

  it('reports a refusal as the end of the connection', () => {
    const { clock, heard, ends } = connectTo('nonsense');
    clock.advance(0);
    expect(heard).toEqual(['ended']);
    expect(ends).toEqual([{ kind: 'refused', status: 403, body: 'Forbidden' }]);
  });

  it('delivers a binary frame as undefined', () => {
    const fault: Fault = { kind: 'garbage', atStep: 1, what: 'binary' };
    const { clock, heard, socket } = connectTo('audio', [fault]);
    socket.send(writePlain({ kind: 'configure', settings: {} }));
    clock.advance(300);
    socket.send(writePlain({ kind: 'append', audio: silence(1000) }));
    clock.advance(300);
    expect(heard.at(-1)).toBe('binary');
  });

  it('ends a cut connection with 1006', () => {
    const { clock, ends, socket } = connectTo('audio', [{ kind: 'drop', atStep: 1 }]);
    socket.send(writePlain({ kind: 'configure', settings: {} }));
    clock.advance(300);
    socket.send(writePlain({ kind: 'append', audio: silence(1000) }));
    clock.advance(300);
    expect(ends).toEqual([{ kind: 'closed', code: 1006, reason: '' }]);
  });

  it('frees the worker when the client closes or terminates', () => {
    for (const go of ['terminate', 'close'] as const) {
      const { clock, ends, socket, enter, heard, options } = connectTo('audio');
      clock.advance(0);
      const others = Array.from({ length: options.workers }, () => enter());
      expect(others.at(-1)?.kinds).toEqual(['queued']);
      if (go === 'close') socket.close(1000, 'bye');
      else socket.terminate();
      socket.send(writePlain({ kind: 'append', audio: silence(1000) }));
      clock.advance(1);
      expect(others.at(-1)?.kinds).toEqual(['queued', 'admitted']);
      expect(ends).toEqual([
        go === 'close'
          ? { kind: 'closed', code: 1000, reason: 'bye' }
          : { kind: 'closed', code: 1006, reason: '' },
      ]);
      socket.terminate();
      clock.advance(1);
      expect(heard).toEqual(['opened', 'admitted', 'ended']);
    }
  });
});

it('a terminated connection delivers nothing more, even if the gateway keeps sending', () => {
  const clock = new FakeClock();
  const lines: ClientSocket[] = [];
  const calls: string[] = [];
  const sendingGateway: Pick<Gateway, 'admit' | 'connect' | 'end'> = {
    admit: () => ({ accepted: true, session: 1 }),
    connect: (_mode, line) => {
      lines.push(line);
      return { receive: (text) => calls.push(text ?? ''), disconnected: () => calls.push('left') };
    },
    end: () => Promise.resolve(),
  };
  const heard: string[] = [];
  const socket = inProcessSockets(sendingGateway, clock).connect('audio', {
    opened: () => heard.push('opened'),
    received: (text) => heard.push(text ?? ''),
    ended: () => heard.push('ended'),
  });
  clock.advance(0);
  socket.send('before');
  socket.terminate();
  socket.send('after');
  lines[0]?.send('on its way');
  clock.advance(0);
  lines[0]?.close(1000, '');
  clock.advance(0);
  expect(calls).toEqual(['before', 'left']);
  expect(heard).toEqual(['opened', 'ended']);
});
