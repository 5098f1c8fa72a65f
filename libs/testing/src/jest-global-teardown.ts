import type { StartedServers } from './jest-global-setup';

const tearDown = async (): Promise<void> => {
  const { scripTestPostgres, scripTestKafka } = globalThis as StartedServers;
  await Promise.all([scripTestPostgres?.stop(), scripTestKafka?.stop()]);
};

export default tearDown;
