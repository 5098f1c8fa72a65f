import type { PostgresServer } from './postgres-server';

const tearDown = async (): Promise<void> => {
  await (globalThis as { scripTestPostgres?: PostgresServer }).scripTestPostgres?.stop();
};

export default tearDown;
