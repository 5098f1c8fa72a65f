import { rounds } from '@scrip/testing';
import { printedSeed } from './printed-seed.fixture';
import { undoProperties } from './undo-properties.fixture';

describe('redemptions of one order', () =>
  undoProperties(rounds(10_000), printedSeed('redemptions of one order')));
