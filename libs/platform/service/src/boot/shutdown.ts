import { Logger } from '@nestjs/common';

/** A SIGINT that follows sooner is the same Ctrl-C, which npm passes on to a program that the terminal told already. */
const sameKeyMs = 1_000;

/** A log line to a terminal that is gone must not end what it tells of. */
const endureLostOutput = (): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
};

/** Calls `close` on SIGTERM, SIGINT and SIGHUP and then ends the process: with status 0, or with 1 when `close` fails or
 *  takes longer than `timeoutMs`. Until then SIGTERM and SIGHUP change nothing more, since a supervisor, npm and the end
 *  of a shell may each send one; only another Ctrl-C, not sooner than after 1 s, ends it at once. */
export const closeOnSignals = (close: () => Promise<void>, timeoutMs: number): void => {
  const logger = new Logger('Shutdown');
  let closingSince: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (closingSince !== null) {
      if (signal === 'SIGINT' && performance.now() - closingSince >= sameKeyMs) process.exit(1);
      return;
    }
    closingSince = performance.now();
    endureLostOutput();
    logger.log(`${signal}: no new work, waiting for what runs`);
    const timer = setTimeout(() => {
      logger.error(`still busy after ${timeoutMs} ms: ending anyway`);
      process.exit(1);
    }, timeoutMs);
    close().then(
      () => {
        clearTimeout(timer);
        process.exit(0);
      },
      (error: unknown) => {
        logger.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
};
