import { rounds } from '@scrip/testing';
import { orderProperties } from './order-properties.fixture';
import { printedSeed } from './printed-seed.fixture';

describe('every order and stack', () => orderProperties(rounds(10_000), printedSeed('orders and stacks')));
