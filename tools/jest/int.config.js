const postgres = require.resolve('../../libs/local/testing/src/jest-global-setup.ts');
const stop = require.resolve('../../libs/local/testing/src/jest-global-teardown.ts');

// Twice the processors of the smallest machine: these specs wait for brokers, time-outs and killed processes more than
// they work.
module.exports = require('./base.config.js')('int', {
  testTimeout: 120_000,
  maxWorkers: 4,
  globalSetup: postgres,
  globalTeardown: stop,
});
