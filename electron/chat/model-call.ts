import type { CallDecision, ToolCall } from '../../shared/chat/chat-thread.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import type { NamedTool } from '../tools/tool.ts';
import { wrapCall } from '../tools/tool-response.ts';
import { CallRounds, type ChatTools } from './call-rounds.ts';

interface Deps {
  readonly tools: ChatTools;
  readonly named: readonly NamedTool[];
  readonly allowed: Set<string>;
  readonly newId: () => string;
  readonly show: (call: ToolCall) => void;
  /** The call has a response, also if it was refused or denied. */
  readonly done: (call: ToolCall) => void;
}

/** A call that the model of a talk made on the wire. It passes the same checks and questions as one in a chat. */
export class ModelCall {
  readonly #rounds: CallRounds;
  #last: ToolCall | undefined;

  constructor(deps: Deps) {
    this.#rounds = new CallRounds({
      ...deps,
      toolText: '',
      question: { messages: [] },
      receive: () => undefined,
      show: (call) => {
        this.#last = call;
        deps.show(call);
      },
      // A chat would be asked again here; the talk's model gets the response instead.
      ask: () => {
        if (this.#last !== undefined) deps.done(this.#last);
      },
    });
  }

  begin({ name, args }: { readonly name: string; readonly args: JsonObject }): void {
    const text = wrapCall(name, JSON.stringify(args));
    this.#rounds.receive({ kind: 'text', text });
    this.#rounds.receive({ kind: 'done', text, reason: 'turn_end' });
  }

  decide(id: string, decision: CallDecision): boolean {
    return this.#rounds.decide(id, decision);
  }

  stop(): void {
    this.#rounds.stop();
  }
}
