// SWC for our TypeScript with decorators; packages run as they are.
const { version } = require('@swc/core');
const { createTransformer } = require('@swc/jest');
const { createHash } = require('node:crypto');
const typescriptOptions = require('../../libs/local/testing/typescript/swc-options.cjs');

const { process: transpile } = createTransformer(typescriptOptions);

/** What code depends on beside its source: nothing of a configuration, so that all kinds of specs share what one compiled. */
const compiler = [version, process.version, JSON.stringify(typescriptOptions)];

module.exports = {
  canInstrument: false,
  process: transpile,
  getCacheKey(source, path) {
    return createHash('sha1')
      .update([...compiler, path, source].join('\0'))
      .digest('hex');
  },
};
