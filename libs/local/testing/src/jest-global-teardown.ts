import type { StartedServers } from './jest-global-setup';

const tearDown = async (): Promise<void> => {
  const { scripTestPostgres, scripTestKafka, sharedScrip } = globalThis as StartedServers;
  await sharedScrip?.stop();
  await Promise.all([scripTestPostgres?.stop(), scripTestKafka?.stop()]);
};

export default tearDown;
