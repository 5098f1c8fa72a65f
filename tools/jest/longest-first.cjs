// Begins with the specs that take longest. Jest knows durations from earlier runs only and goes by the size of files
// without them, so that a short file which waits for brokers, programs or a whole type check would run alone at the end.
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
  'tools/docs/src/openapi/agreement.int',
  'libs/platform/messaging/src/kafka/',
  'libs/platform/messaging/src/postgres/postgres-event-transport.int',
  '-killed.int',
  'libs/platform/messaging/src/locks/watched-connection.int',
  'libs/local/testing/src/',
  'tools/docs/src/',
  'libs/platform/messaging/src/rebuild/',
  'libs/domain/order-calculation/src/properties/',
  'apps/scrip/src/start.e2e',
  'apps/scrip/src/redemption/concurrency.e2e',
  'apps/scrip/src/access/',
  'apps/scrip/src/redemption/lost-messages.e2e',
  '-killed.e2e',
  'apps/scrip/src/customers/erasure.e2e',
  'apps/scrip/src/main-job.e2e',
  'apps/scrip/src/demo.e2e',
  'apps/scrip/src/redemption/legacy-qualification.e2e',
  'apps/scrip/src/readme.e2e',
];

const rankOf = (path) => {
  const rank = longest.findIndex((part) => path.includes(part));
  return rank < 0 ? longest.length : rank;
};

module.exports = class LongestFirst extends Sequencer {
  /** Jest's order, where those named above go first. */
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one.path) - rankOf(other.path));
  }
};
