/** See `unavailable`. */
export class ToolUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolUnavailable';
  }
}

/**
 * What a tool throws when the other side cannot be reached now and a later attempt may go better: tried again as often
 * as the tool allows. For an effect `once` it says that the outcome is not known. Everything else that a tool throws is
 * an answer for the model and is not tried again, but for the network's own errors, which are known.
 */
export function unavailable(message: string): ToolUnavailable {
  return new ToolUnavailable(message);
}
