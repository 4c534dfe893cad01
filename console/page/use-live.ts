import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../api/api-error.ts';
import { ApiFailure, events, get } from './api.ts';

/** A value that is kept up to date, and why it may be old. */
export interface Live<T> {
  readonly value?: T;
  readonly failure?: ApiFailure;
  /** When the value came last. */
  readonly atMs?: number;
}

const AGAIN_MS = 1_000;

/** The stream's last `name` event. A lost connection is taken up again; the last value stays, marked as old. */
export function useStream<T>(path: string, name: string): Live<T> {
  const [live, setLive] = useState<Live<T>>({});
  useEffect(() => {
    setLive({});
    return keepListening(path, (event, data) => {
      if (event === name) setLive({ value: data as T, atMs: Date.now() });
      if (event === 'error') setLive((before) => ({ ...before, failure: failureIn(data) }));
    }, (failure) => setLive((before) => ({ ...before, failure })));
  }, [path, name]);
  return live;
}

/** One resource, read once, and again until the server is back where it was gone. */
export function useRead<T>(path: string): Live<T> & { readonly again: () => void } {
  const [live, setLive] = useState<Live<T>>({});
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    get<T>(path, left.signal).then((value) => setLive({ value, atMs: Date.now() }), (error: unknown) => {
      if (left.signal.aborted) return;
      const failure = failureOf(error);
      setLive((before) => ({ ...before, failure }));
      if (mayComeBack(failure)) timer = setTimeout(() => setAsked(asked + 1), AGAIN_MS);
    });
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [path, asked]);
  return { ...live, again: () => setAsked(asked + 1) };
}

/** One resource, read anew at each event of a stream. */
export function useFollowed<T>(path: string, stream: string): Live<T> & { readonly again: () => void } {
  const [live, setLive] = useState<Live<T>>({});
  const load = useRef<() => void>(() => undefined);
  useEffect(() => {
    setLive({});
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running = false;
    let wanted = false;
    const left = new AbortController();
    const readNow = async (): Promise<void> => {
      if (running) {
        wanted = true;
        return;
      }
      running = true;
      try {
        const value = await get<T>(path, left.signal);
        setLive({ value, atMs: Date.now() });
      } catch (error) {
        if (error instanceof ApiFailure) setLive((before) => ({ ...before, failure: error }));
      }
      running = false;
      if (wanted && !left.signal.aborted) {
        wanted = false;
        void readNow();
      }
    };
    load.current = () => void readNow();
    void readNow();
    // A turn brings several entries at once: one reading tells them all.
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void readNow();
      }, 100);
    };
    const stop = keepListening(stream, soon, (failure) => setLive((before) => ({ ...before, failure })));
    return () => {
      stop();
      left.abort();
      clearTimeout(timer);
    };
  }, [path, stream]);
  return { ...live, again: () => load.current() };
}

function keepListening(path: string, onEvent: (event: string, data: unknown) => void, onFailure: (failure: ApiFailure) => void): () => void {
  const left = new AbortController();
  const listen = async (): Promise<void> => {
    while (!left.signal.aborted) {
      try {
        for await (const { event, data } of events(path, left.signal)) {
          if (left.signal.aborted) return;
          onEvent(event, data);
          if (event === 'end') return;
        }
      } catch (error) {
        if (left.signal.aborted) return;
        const failure = failureOf(error);
        onFailure(failure);
        if (!mayComeBack(failure)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };
  void listen();
  return () => left.abort();
}

function failureOf(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure('lost', String(error));
}

/** What is not there, or not allowed, does not come by asking again. */
function mayComeBack({ kind }: ApiFailure): boolean {
  return kind === 'lost' || kind === 'unreachable' || kind === 'internal';
}

function failureIn(data: unknown): ApiFailure {
  const { error } = data as ErrorBody;
  return new ApiFailure(error.kind, error.message);
}
