import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of every log line written inside. */
export interface LogContext {
  request_id?: string;
  job_id?: string;
  consumer_group?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that every log line written by it, also later and asynchronously, carries `context`. */
export const withLogContext = <T>(context: LogContext, work: () => T): T =>
  storage.run({ ...storage.getStore(), ...context }, work);

export const currentLogContext = (): LogContext | undefined => storage.getStore();
