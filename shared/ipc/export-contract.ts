import type { ExportForm } from '../export/export-form.ts';
import type { ExportOffer, ExportOrigin, ExportResult } from '../export/export-origin.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of exports. There is one at a time; it ends with the page that asked for it. */
export interface ExportRequests {
  readonly exportOffer: {
    readonly input: { readonly origin: ExportOrigin };
    readonly value: ExportOffer;
  };
  /** Asks the person where, and answers when it is made. `mix`: both voices in one channel. */
  readonly exportFile: {
    readonly input: {
      readonly origin: ExportOrigin;
      readonly as: ExportForm;
      readonly mix: boolean;
    };
    readonly value: ExportResult;
  };
  /** Gives up what is being made; its own request answers that it was stopped. */
  readonly stopExport: { readonly input: Nothing; readonly value: Nothing };
  /** Opens the folder of what was saved last, a report too, where the host can; where it is, in any case. */
  readonly showSaved: {
    readonly input: Nothing;
    readonly value: { readonly path: string; readonly opened: boolean };
  };
}

export interface ExportNotices {
  /** How far it has come, from 0 to 1: each hundredth is told once. */
  readonly exportProgress: { readonly part: number };
}
