module.exports = require('./jest.config.base.js')('unit', { testTimeout: 10_000 });
