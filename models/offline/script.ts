import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { Saying } from './completion.ts';

/** What the scripted model does in one turn. Plain JSON, so that a script can be a file. */
export type Line = LineBody & {
  /** Faults that the first attempts of this turn meet, one each; then the line itself. */
  readonly first?: readonly ScriptedFault[];
  /** The answer waits until `release(name)`; not a byte is sent before, headers included. */
  readonly heldBy?: string;
};

type LineBody =
  | Saying
  /** This very body with status 200, whatever it is. */
  | { readonly raw: JsonValue }
  | ScriptedFault;

export type ScriptedFault =
  /** An error status; `body` a JSON value or a text, a standard error when absent. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: JsonValue }
  | {
      /**
       * hang: accepts and never sends a byte · stall: headers and half a body, then nothing · drop: the connection is
       * destroyed before a byte · reset: destroyed in mid-body · cut: a whole answer that holds half a JSON text ·
       * html: a web page with status 200 · empty_body: status 200 and nothing.
       */
      readonly fault: 'hang' | 'stall' | 'drop' | 'reset' | 'cut' | 'html' | 'empty_body';
    };

/** A request as a script's function sees it. */
export interface ScriptedRequest {
  /** Which script: the name behind `script:` in the conversation, else the model's name. */
  readonly key: string;
  readonly model: string;
  /** Replies that the conversation already holds: 0 for the first. */
  readonly turn: number;
  /** Requests of this key and turn so far, this one included: 1 for the first. */
  readonly attempt: number;
  readonly body: JsonObject;
}

/** Lines by turn, from 0; or a function of the request, `n` being the number of other conversations before this one. */
export type Script = readonly Line[] | ((request: ScriptedRequest, n: number) => Line);
/** Scripts by key; `default` for every other. */
export type Scripts = Readonly<Record<string, Script>>;
