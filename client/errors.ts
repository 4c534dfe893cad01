/** What went wrong, as one word that a program can switch on. */
export type CaseworkerErrorKind =
  'usage' | 'not_found' | 'exists' | 'ended' | 'not_allowed' | 'unreachable' | 'failed' | 'unreadable';

/** Every error that the client throws on purpose; the message names what happened and what to do. */
export class CaseworkerError extends Error {
  readonly kind: CaseworkerErrorKind;

  constructor(kind: CaseworkerErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
  }
}

/** Something in the request is wrong; nothing was sent. */
export class UsageError extends CaseworkerError {
  constructor(message: string, options?: ErrorOptions) {
    super('usage', message, options);
  }
}

export class RunNotFoundError extends CaseworkerError {
  readonly id: string;

  constructor(id: string, options?: ErrorOptions) {
    super('not_found', `No run has the id "${id}" here.`, options);
    this.id = id;
  }
}

/** The id belongs to a run already, running or ended: a run is started once. */
export class RunExistsError extends CaseworkerError {
  readonly id: string;
  /** That run is another agent's, or has another task: its answer is none to this one. */
  readonly isAnother: boolean;

  constructor(id: string, { isAnother = false, ...options }: ErrorOptions & { readonly isAnother?: boolean } = {}) {
    super('exists', `A run with the id "${id}" exists already${isAnother ? ', of another agent or with another task' : ''}; it was not started again.`, options);
    this.id = id;
    this.isAnother = isAnother;
  }
}

/** The run has ended, so nothing can be done to it any more. */
export class RunEndedError extends CaseworkerError {
  readonly id: string;

  constructor(id: string, options?: ErrorOptions) {
    super('ended', `The run "${id}" has already ended.`, options);
    this.id = id;
  }
}

/** The run closed without a result: somebody terminated it, or the server did. */
export class RunFailedError extends CaseworkerError {
  readonly id: string;

  constructor(id: string, how: string, options?: ErrorOptions) {
    super('failed', `The run "${id}" closed without a result: ${how}.`, options);
    this.id = id;
  }
}

export class ServerUnreachableError extends CaseworkerError {
  constructor(message: string, options?: ErrorOptions) {
    super('unreachable', message, options);
  }
}

export class NotAllowedError extends CaseworkerError {
  constructor(message: string, options?: ErrorOptions) {
    super('not_allowed', message, options);
  }
}

/** Stored data cannot be read: most often another data converter wrote it. */
export class UnreadableError extends CaseworkerError {
  constructor(message: string, options?: ErrorOptions) {
    super('unreadable', message, options);
  }
}
