const postgres = require.resolve('./libs/testing/src/jest-global-setup.ts');
const stop = require.resolve('./libs/testing/src/jest-global-teardown.ts');

module.exports = require('./jest.config.base.js')('int', {
  testTimeout: 60_000,
  globalSetup: postgres,
  globalTeardown: stop,
});
