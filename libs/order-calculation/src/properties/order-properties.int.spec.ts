import { orderProperties } from './order-properties.fixture';
import { printedSeed } from './printed-seed.fixture';

describe('every order and stack', () => orderProperties(10_000, printedSeed('orders and stacks')));
