import { randomCarts } from './random-carts.fixture';

describe('random carts', () => randomCarts(150, 5));
