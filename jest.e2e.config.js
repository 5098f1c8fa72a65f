const postgres = require.resolve('./libs/testing/src/jest-global-setup.ts');
const stop = require.resolve('./libs/testing/src/jest-global-teardown.ts');

module.exports = require('./jest.config.base.js')('e2e', {
  testTimeout: 120_000,
  globalSetup: postgres,
  globalTeardown: stop,
});
