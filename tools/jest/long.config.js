const postgres = require.resolve('../../libs/local/testing/src/jest-global-setup.ts');
const stop = require.resolve('../../libs/local/testing/src/jest-global-teardown.ts');

// What takes brokers, type checkers, other languages or starts of all services for a minute and rarely changes, and what shows at
// scale, or case by case, what `npm test` shows in part: `npm run test:soak` runs it.
module.exports = require('./base.config.js')('long', {
  testTimeout: 240_000,
  maxWorkers: 2,
  globalSetup: postgres,
  globalTeardown: stop,
});
