import { randomCarts } from './random-carts.fixture';

describe('random carts', () => randomCarts(20_000, 20));
