const path = require('node:path');
const postgres = require.resolve('./libs/testing/src/jest-global-setup.ts');
const stop = require.resolve('./libs/testing/src/jest-global-teardown.ts');

// What is about one shape only, or about one context without its shape, runs once.
const shape = process.env.SCRIP_TEST_SHAPE === 'distributed' ? 'distributed' : 'embedded';
const elsewhere = {
  embedded: ['tools/services/', 'tools/docs/src/events/'],
  distributed: ['libs/', 'apps/scrip/src/start.e2e.spec.ts'],
};

module.exports = require('./jest.config.base.js')('e2e', {
  testTimeout: 120_000,
  globalSetup: postgres,
  globalTeardown: stop,
  testPathIgnorePatterns: ['/node_modules/', ...elsewhere[shape].map((part) => path.join(__dirname, part))],
});
