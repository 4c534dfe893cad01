import { isGrpcServiceError, WorkflowClient, WorkflowNotFoundError, type ConnectionLike } from '@temporalio/client';
import type { DataConverter, LoadedDataConverter } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { BlobStore } from '../core/contract.ts';
import { NotAllowedError, RunNotFoundError, ServerUnreachableError, UsageError } from './errors.ts';

export interface ClientOptions {
  readonly connection: ConnectionLike;
  readonly namespace: string;
  readonly taskQueue: string;
  /** The one that the workers use; without it nothing that they wrote can be read. */
  readonly dataConverter?: DataConverter;
  /** Where workers archive finished parts of traces; without it a trace is as old as Temporal's history. */
  readonly blobs?: BlobStore;
}

/** Everything that the parts of the client need to speak to one server. */
export interface ServerAccess extends ClientOptions {
  readonly workflows: WorkflowClient;
  readonly converter: LoadedDataConverter;
}

/** Status codes of gRPC that mean something to a caller (https://grpc.io/docs/guides/status-codes/). */
const GRPC = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** Long enough for a server that is busy, short enough for somebody who waits at a terminal. */
const CALL_MS = 10_000;

export function accessServer(options: ClientOptions): ServerAccess {
  const { connection, namespace, dataConverter } = options;
  return {
    ...options,
    workflows: new WorkflowClient({ connection, namespace, ...(dataConverter ? { dataConverter } : {}) }),
    converter: loadDataConverter(dataConverter),
  };
}

/**
 * Runs one request about run `id` under a deadline, and turns what the server says into the client's own errors.
 * `deadlineMs` counts from now.
 */
export async function ask<T>(
  access: ServerAccess,
  about: { readonly id?: string; readonly deadlineMs?: number },
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await access.connection.withDeadline(Date.now() + (about.deadlineMs ?? CALL_MS), request);
  } catch (error) {
    throw translated(error, about.id);
  }
}

/** The client's own error for one of gRPC or the SDK; any other error as it is. */
export function translated(error: unknown, id?: string): unknown {
  if (error instanceof WorkflowNotFoundError && id !== undefined) return new RunNotFoundError(id, { cause: error });
  const failure = grpcFailure(error);
  if (!failure) return error;
  const { code, details } = failure;
  if (code === GRPC.NOT_FOUND && id !== undefined) return new RunNotFoundError(id, { cause: error });
  if (code === GRPC.UNAVAILABLE || code === GRPC.DEADLINE_EXCEEDED) {
    return new ServerUnreachableError(`The Temporal server does not answer: ${details}.`, { cause: error });
  }
  if (code === GRPC.PERMISSION_DENIED || code === GRPC.UNAUTHENTICATED) {
    return new NotAllowedError(`The Temporal server refused: ${details}.`, { cause: error });
  }
  if (code === GRPC.INVALID_ARGUMENT)
    return new UsageError(`The Temporal server refused: ${details}.`, { cause: error });
  return error;
}

/** gRPC's status in an error or in what caused it. */
export function grpcFailure(error: unknown): { readonly code: number; readonly details: string } | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (isGrpcServiceError(current)) return { code: current.code, details: current.details };
    current = current.cause;
  }
  return undefined;
}
