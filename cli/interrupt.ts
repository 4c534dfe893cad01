import { EXIT } from './exit-codes.ts';

/** Ctrl-C and its kin, for as long as a command runs. */
export interface Interrupt {
  /** Aborted by the first one: the command then says what goes on without it, and cleans up. */
  readonly signal: AbortSignal;
  close(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C can arrive twice: from the terminal, and passed on by the process that started this one. */
const ECHO_MS = 300;

/** The first interruption asks the command to end, the second one ends the process at once. Where nobody reads on, it ends too. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  let first = 0;
  const onSignal = (): void => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort();
    } else if (Date.now() - first > ECHO_MS) process.exit(EXIT.interrupted);
  };
  const onPipe = (): void => controller.abort();
  for (const name of SIGNALS) process.on(name, onSignal);
  process.on('SIGPIPE', onPipe);
  return {
    signal: controller.signal,
    close: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
      process.off('SIGPIPE', onPipe);
    },
  };
}

/** Resolves when the person interrupts. */
export function interrupted({ signal }: Interrupt): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
