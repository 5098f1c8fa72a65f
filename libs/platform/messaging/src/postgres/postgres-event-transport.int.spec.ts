import { describeEventAdapter } from '../testing/adapter-suite.fixture';
import { postgresHarness } from '../testing/postgres-harness.fixture';

describeEventAdapter('PostgreSQL', () => postgresHarness());
