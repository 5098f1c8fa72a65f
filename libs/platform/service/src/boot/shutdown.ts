import { Logger } from '@nestjs/common';

/** Calls `close` on SIGTERM and SIGINT and then ends the process: with status 0, or with 1 when `close` fails or takes
 *  longer than `timeoutMs`. A second signal ends it at once. */
export const closeOnSignals = (close: () => Promise<void>, timeoutMs: number): void => {
  const logger = new Logger('Shutdown');
  let closing = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (closing) process.exit(1);
    closing = true;
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
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
};
