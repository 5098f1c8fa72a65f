// A third worker, since some specs wait for time-outs instead of working.
module.exports = require('./base.config.js')('unit', { testTimeout: 30_000, maxWorkers: 3 });
