/** The other side of `startChild`: what a process was told, and how it answers. */
export interface ChildSettings {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly modelUrl: string;
  readonly dataDir: string;
  readonly [more: string]: string;
}

export const serveChild = {
  settings: JSON.parse(process.env['BENCH_SETTINGS'] ?? '{}') as ChildSettings,
  ready(): void {
    // A bench that is killed leaves nobody behind.
    process.on('disconnect', () => process.exit(1));
    process.send?.('ready');
  },
  /** Answers each request; they may overlap. */
  answer(work: (request: Readonly<Record<string, unknown>>) => Promise<unknown>): void {
    process.on('message', (message: { readonly n: number }) => {
      work({ ...message }).then(
        (value) => process.send?.({ n: message.n, value }),
        (error: unknown) => process.send?.({ n: message.n, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
    });
  },
};
