import type { CustomerDeleted, CustomerErasure, CustomerEvent } from '@scrip/contracts/customers';
import { givenFor } from '@scrip/testing';
import { type CustomerCommand, type CustomerState, decideCustomer, evolveCustomer } from './customer.decider';

const given = givenFor<CustomerCommand, CustomerState | undefined, CustomerEvent>({
  decide: decideCustomer,
  evolve: evolveCustomer,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];

const created: CustomerEvent = {
  type: 'CustomerCreated',
  data: { customer_id: 'cust_1', sealed: 'e1.x', created_at: at },
};

const create: CustomerCommand = { type: 'CreateCustomer', customer_id: 'cust_1', sealed: 'e1.x', now: at };
const update = (sealed: string): CustomerCommand => ({
  type: 'UpdateCustomer',
  customer_id: 'cust_1',
  sealed,
  now: later,
});

const remove: CustomerCommand = {
  type: 'DeleteCustomer',
  customer_id: 'cust_1',
  sealed: 'e1.gone',
  now: later,
};
const deleted: CustomerDeleted = {
  type: 'CustomerDeleted',
  data: { customer_id: 'cust_1', sealed: 'e1.gone', created_at: at, deleted_at: later },
};
const erasure: CustomerErasure = {
  id: 'del_1',
  erased_at: later,
  customer_events: 1,
  segments: 0,
  orders: 0,
  order_events: 0,
};
const erase: CustomerCommand = { type: 'EraseCustomer', customer_id: 'cust_1', erasure };
const erased: CustomerEvent = { type: 'CustomerErased', data: { customer_id: 'cust_1', erasure } };
const deletedUnsealed: CustomerEvent = { ...deleted, data: { ...deleted.data, sealed: '' } };

describe('a customer', () => {
  it('is created once', () => {
    given().when(create).then(created);
    given(created).when(create).then();
  });

  it('is changed where its profile is sealed anew', () => {
    given(created)
      .when(update('e1.y'))
      .then({
        type: 'CustomerUpdated',
        data: { customer_id: 'cust_1', sealed: 'e1.y', bulk: false, updated_at: later },
      });
    given(created).when(update('e1.x')).then();
  });

  it('is deleted once, and then there is nothing to change', () => {
    given(created).when(remove).then(deleted);
    for (const command of [remove, update('e1.z')])
      given(created, deleted).when(command).thenRefused('not_found', { resourceId: 'cust_1' });
    given(created, deleted).when(create).then();
    given(created).when(remove).thenState({
      id: 'cust_1',
      sealed: 'e1.gone',
      created_at: at,
      updated_at: null,
      deleted_at: later,
    });
  });

  it('is erased once, a live one as well as a deleted one; again under its id it is no change', () => {
    given(created).when(erase).then(deletedUnsealed, erased);
    given(created, deleted).when(erase).then(erased);
    given(created, deleted, erased).when(erase).then();
    given(created, deleted, erased)
      .when({ ...erase, erasure: { ...erasure, id: 'del_2' } })
      .thenRefused('not_found', { resourceId: 'cust_1' });
    given().when(erase).thenRefused('not_found', { resourceId: 'cust_1' });
    given(created).when(erase).thenState({
      id: 'cust_1',
      sealed: '',
      created_at: at,
      updated_at: null,
      deleted_at: later,
      erasure,
    });
  });

  it('is the newest sealed profile and both dates', () => {
    given(created)
      .when(update('e1.y'))
      .thenState({ id: 'cust_1', sealed: 'e1.y', created_at: at, updated_at: later });
  });

  it('has to be there for a change', () => {
    given().when(remove).thenRefused('not_found', { resourceId: 'cust_1' });
    given().when(update('e1.y')).thenRefused('not_found', { resourceId: 'cust_1' });
  });
});
