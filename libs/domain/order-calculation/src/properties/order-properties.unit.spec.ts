import { orderProperties } from './order-properties.fixture';
import { printedSeed } from './printed-seed.fixture';

describe('every order and stack', () => orderProperties(500, printedSeed('orders and stacks')));
