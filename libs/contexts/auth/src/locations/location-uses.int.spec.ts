import type { LocationUsersPort } from '@scrip/contracts/auth';
import { Fault, internalContext, randomIds, refuse } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import { type AuthFixture, bootAuth } from '../auth.fixture';
import { ProjectHandlers } from '../projects/project.handlers';
import { LocationHandlers } from './location.handlers';
import type { Location } from './location.table';
import { LocationUses } from './location-uses';

const context = internalContext(projectOf({ id: 'proj_1' }));
const circle = (radius: string) => ({
  type: 'circle',
  format: 'distance',
  distance: { center: 'geo:1,1', radius },
});

/** Owners whose filters refer to nothing, unless a test says otherwise. */
class FakeOwner implements LocationUsersPort {
  refersToLocation: LocationUsersPort['refersToLocation'] = async () => ({ ids: [] });
  retestLocation: LocationUsersPort['retestLocation'] = async () => ({ begun: 0 });
}

describe('which filters refer to locations', () => {
  let fixture: AuthFixture;
  let customers: FakeOwner;
  let catalog: FakeOwner;
  let uses: LocationUses;
  let locations: LocationHandlers;

  beforeAll(async () => {
    fixture = await bootAuth();
  });
  afterAll(() => fixture?.running.close());
  beforeEach(() => {
    [customers, catalog] = [new FakeOwner(), new FakeOwner()];
    const get = <T>(token: new (...args: never[]) => T): T =>
      fixture.running.app.get(token, { strict: false });
    uses = new LocationUses(fixture.database, customers, catalog, get(ProjectHandlers));
    locations = Object.assign(Object.create(get(LocationHandlers)) as LocationHandlers, { uses });
  });

  const drawn = async (): Promise<Location> =>
    (await locations.create(context, randomIds, { name: 'Here', shape: circle('1 km') })) as Location;
  const note = (user_id: string, id: string) =>
    fixture.auth.useLocations(context, { project_id: 'proj_1', user: 'segment', user_id, ids: [id] });
  const waiting = () => fixture.database.query<object[]>('SELECT location_id FROM location_changes');

  it('are noted for locations that exist only, all or none', async () => {
    const { id } = await drawn();
    const use = { project_id: 'proj_1', user: 'segment', user_id: 'seg_1' } as const;
    expect(await fixture.auth.useLocations(context, { ...use, ids: [id, 'loc_none'] })).toEqual({
      unknown: ['loc_none'],
    });
    expect(await uses.refusalOf(context, id)).toBeNull();
    expect(await fixture.database.query('SELECT FROM location_uses')).toEqual([]);
  });

  it('are asked for at a deletion: what was noted and never stored does not keep a location', async () => {
    const { id } = await drawn();
    await note('seg_given_up', id);
    await note('seg_stored', id);
    customers.refersToLocation = async () => ({ ids: ['seg_stored'] });
    expect(await locations.delete(context, id)).toMatchObject({
      refused: 'resource_in_use',
      details: `Resource location with id ${id} is in use by segments with ids [seg_stored]`,
      ...{ resourceId: id, resourceType: 'location' },
      ...{ related_object_ids: ['seg_stored'], related_object_type: 'segments' },
    });
    customers.refersToLocation = async (_, { ids }) => {
      expect(ids).toEqual(['seg_stored']);
      return { ids: [] };
    };
    expect(await locations.delete(context, id)).toBeNull();
  });

  it('keep a location where they are noted again while their owner is asked', async () => {
    const { id } = await drawn();
    await note('seg_1', id);
    customers.refersToLocation = async () => {
      await note('seg_1', id);
      return { ids: [] };
    };
    expect(await locations.delete(context, id)).toEqual(
      refuse('multiple_requests', 'A filter that refers to the location is being stored'),
    );
    expect(await locations.find(context, id)).toMatchObject({ id });
  });

  it('keep a location where their owner does not answer', async () => {
    const { id } = await drawn();
    await note('seg_1', id);
    customers.refersToLocation = async () => {
      throw new Fault('unavailable', 'customers is away');
    };
    await expect(locations.delete(context, id)).rejects.toThrow('customers is away');
    expect(await locations.find(context, id)).toMatchObject({ id });
  });

  it('are told of a change of the shape, later where an owner does not answer, and of no other change', async () => {
    const { id } = await drawn();
    const told: string[] = [];
    customers.retestLocation = async (_, { location_id }) => {
      told.push(location_id);
      return { begun: 1 };
    };
    await locations.update(context, id, { shape: circle('2 km') });
    expect([told, await waiting()]).toEqual([[], []]);
    await note('seg_1', id);
    await locations.update(context, id, { name: 'There' });
    expect(told).toEqual([]);
    catalog.retestLocation = async () => {
      throw new Fault('unavailable', 'catalog is away');
    };
    await locations.update(context, id, { shape: circle('3 km') });
    expect([told, await waiting()]).toEqual([[id], [{ location_id: id }]]);
    catalog.retestLocation = async () => ({ begun: 0 });
    await uses.tellChange(context, id);
    expect([told, await waiting()]).toEqual([[id, id], []]);
  });
});
