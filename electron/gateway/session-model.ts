import type { AppendEvent, ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import { openChatModel } from './chat-model.ts';
import { openDuplexModel } from './duplex-model.ts';
import type { GatewayModel, ModelEnvironment } from './gateway-model.ts';

/** The model behind one session, which says by itself what it does not take. */
export type SessionModel = GatewayModel<AppendEvent | ChatTurnEvent>;

export function openSessionModel(environment: ModelEnvironment): SessionModel {
  return environment.mode === 'chat'
    ? chatOnly(openChatModel(environment))
    : duplexOnly(openDuplexModel(environment));
}

function chatOnly(chat: GatewayModel<ChatTurnEvent>): SessionModel {
  const missing = { code: 'missing_field', message: 'messages field is required' };
  return {
    take: (ask) => (ask.kind === 'chat' ? chat.take(ask) : missing),
    end: chat.end,
  };
}

function duplexOnly(duplex: GatewayModel<AppendEvent>): SessionModel {
  const missing = { code: 'missing_field', message: 'audio field is required' };
  return {
    take: (ask) => (ask.kind === 'append' ? duplex.take(ask) : missing),
    end: duplex.end,
  };
}
