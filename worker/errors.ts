/** The Temporal cluster that was named does not answer; the message names its address and what to do. */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError';
  readonly address: string;

  constructor(address: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.address = address;
  }
}

/** A setting of this project cannot be used; the message names it and says what it should be. */
export class SettingError extends Error {
  /** A wrong setting is a usage error: the person who set it can mend it. */
  override readonly name = 'UsageError';
}
