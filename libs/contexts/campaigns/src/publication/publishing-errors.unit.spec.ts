import { UniqueViolation } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';
import { isLost, isWorthRepeating } from './publishing-errors';

const reset = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
const unique = new UniqueViolation({ kind: 'unique', constraint: 'publications_source_id' });

it.each([
  ['a lost connection', reset, { lost: true, repeated: true }],
  [
    'a lost connection of a read',
    new Fault('unavailable', 'no answer', { cause: reset }),
    { lost: true, repeated: true },
  ],
  ['a deadlock', deadlock, { lost: false, repeated: true }],
  [
    'a deadlock in a read',
    new Fault('unavailable', 'no answer', { cause: deadlock }),
    { lost: false, repeated: true },
  ],
  ['a source id that is taken', unique, { lost: false, repeated: false }],
  ['a full queue', new Fault('overloaded', 'too many wait'), { lost: false, repeated: false }],
  ['a deadline', new Fault('deadline', 'too late'), { lost: false, repeated: false }],
  ['a fault of the program', new TypeError('undefined'), { lost: false, repeated: false }],
])('tells what %s means for a publication', (_, error, { lost, repeated }) => {
  expect([isLost(error), isWorthRepeating(error)]).toEqual([lost, repeated]);
});
