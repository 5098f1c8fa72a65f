import { printedSeed } from './printed-seed.fixture';
import { undoProperties } from './undo-properties.fixture';

describe('redemptions of one order', () => undoProperties(200, printedSeed('redemptions of one order')));
