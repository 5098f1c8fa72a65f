const path = require('node:path');
const inTheSoak = require('./between-services-in-the-soak.cjs');

const root = path.resolve(__dirname, '../..');
const postgres = require.resolve('../../libs/local/testing/src/jest-global-setup.ts');
const stop = require.resolve('../../libs/local/testing/src/jest-global-teardown.ts');

// What is about one shape only, about one context or a command without the shape, runs once.
const shape = process.env.SCRIP_TEST_SHAPE === 'distributed' ? 'distributed' : 'embedded';
const elsewhere = {
  embedded: ['tools/docs/src/events/'],
  distributed: [
    'libs/',
    'tools/docs/src/openapi/',
    'apps/scrip/src/access/route-access.e2e.spec.ts',
    ...(process.env.SCRIP_TEST_SCALE ? [] : inTheSoak),
    'apps/scrip/src/verify-state.e2e.spec.ts',
    'apps/scrip/src/start.e2e.spec.ts',
    'apps/scrip/src/demo.e2e.spec.ts',
  ],
};

module.exports = require('./base.config.js')('e2e', {
  testTimeout: 240_000,
  // A distributed Scrip is nine processes: more than two at once would wait for each other.
  maxWorkers: shape === 'distributed' ? 2 : 3,
  globalSetup: postgres,
  globalTeardown: stop,
  testPathIgnorePatterns: ['/node_modules/', ...elsewhere[shape].map((part) => path.join(root, part))],
});
