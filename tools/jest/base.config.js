// One jest configuration for all packages; the suffix of a spec says what it costs (unit, int, e2e).
const path = require('node:path');

const root = path.resolve(__dirname, '../..');

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

module.exports = (kind, { testTimeout, ...overrides }) => ({
  rootDir: root,
  // Names the folder of compiled files, which all kinds share.
  id: 'scrip',
  displayName: kind,
  testEnvironment: path.join(__dirname, 'environment.cjs'),
  testEnvironmentOptions: { customExportConditions: ['@scrip/source', 'require', 'node', 'default'] },
  // Node's own streams and sockets use the one process that there is.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  testMatch: [`**/*.${kind}.spec.ts`, '!**/tools/generator/templates/**'],
  // Neither built packages nor the copy that mutants are tested in may shadow sources.
  modulePathIgnorePatterns: [
    `^${escaped(root)}/(apps|libs/[^/]+|tools)/[^/]+/dist/`,
    `^${escaped(root)}/\\.stryker/`,
    `^${escaped(root)}/tools/generator/templates/`,
  ],
  transform: { '^.+\\.ts$': path.join(__dirname, 'transform.cjs') },
  runtime: path.join(__dirname, 'runtime.cjs'),
  testSequencer: path.join(__dirname, 'longest-first.cjs'),
  maxWorkers: 2,
  testTimeout,
  ...overrides,
});
