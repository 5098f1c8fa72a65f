import { SetMetadata } from '@nestjs/common';
import type { JobDefinition } from './job-definition';

/** The data of a running job. */
export interface RunningJob {
  id: string;
  /** 1 for the first attempt. A job whose worker was killed runs again, as its next attempt. */
  attempt: number;
  maxAttempts: number;
  /** Error message of the previous attempt, if it failed. */
  lastError: string | null;
  /** Aborts when the process shuts down and the job should stop at its next safe point (by throwing). */
  abortSignal: AbortSignal;
}

export const JOB_HANDLER = Symbol.for('scrip.job-handler');

type Handler<Payload> = (payload: Payload, job: RunningJob) => Promise<void>;

/** Marks the method of a provider that runs a kind of job. It may run more than once for one job, also at the same
 *  time when a connection broke, so its effects are idempotent. When it throws, the job runs again later, up to
 *  `maxAttempts`. */
export const JobHandler =
  <Payload extends object>(definition: JobDefinition<Payload>) =>
  <Method extends Handler<Payload>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    SetMetadata(JOB_HANDLER, definition)(target, key, descriptor);
  };
