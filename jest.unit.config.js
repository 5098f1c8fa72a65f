// A third worker, since some specs wait for time-outs instead of working.
module.exports = require('./jest.config.base.js')('unit', { testTimeout: 10_000, maxWorkers: 3 });
