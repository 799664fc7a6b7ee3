import type {
  ClientEvent,
  DialectName,
  ServerEvent,
} from '../../../../../shared/protocol/realtime-api.ts';

/** Checks what a client sends by the documents alone. Violations are collected in `broken`. */
export class SendRules {
  readonly broken: string[] = [];
  #open = false;
  #admitted = false;
  #created = false;
  #over = false;
  #configured: readonly DialectName[] = [];
  #inputIds: readonly string[] = [];

  opened(): void {
    this.#open = true;
  }

  heard(event: ServerEvent): void {
    if (event.kind === 'admitted') this.#admitted = true;
    if (event.kind === 'created' && this.#configured.length > 0) this.#created = true;
    if (event.kind === 'closed') this.#over = true;
  }

  /** Either side has closed the connection. */
  ended(): void {
    this.#over = true;
  }

  asked(ask: ClientEvent, dialect: DialectName): void {
    if (!this.#open) this.#break(`${ask.kind} before the connection was open`);
    if (this.#over) this.#break(`${ask.kind} after the end`);
    if (!this.#admitted) this.#break(`${ask.kind} while queued`);
    if (ask.kind === 'configure') this.#configure(dialect);
    else if (!this.#created) this.#break(`${ask.kind} before created`);
    if (ask.kind === 'close') this.#over = true;
    if (ask.kind === 'append') this.#append(ask.audio.length, ask.inputId);
    if (ask.kind === 'chat' && dialect === 'legacy') this.#break('chat in legacy');
    if (this.#created && dialect !== this.#configured.at(-1)) this.#break('changed the dialect');
  }

  #configure(dialect: DialectName): void {
    if (this.#created) this.#break('configured twice');
    if (this.#configured.includes(dialect)) this.#break(`configured in ${dialect} again`);
    this.#configured = [...this.#configured, dialect];
  }

  #append(samples: number, inputId: string | undefined): void {
    if (samples < 4000) this.#break(`an append of ${samples} samples`);
    if (inputId === undefined || this.#inputIds.includes(inputId)) this.#break('no id of its own');
    this.#inputIds = [...this.#inputIds.slice(-20), inputId ?? ''];
  }

  #break(rule: string): void {
    this.broken.push(rule);
  }
}
