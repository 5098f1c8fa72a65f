import { isRefused, Secret } from '@scrip/kernel';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { operator } from '../audit/audit-operator';
import { FirstUser } from './first-user';
import { PasswordHashes } from './password-hashes';
import type { User } from './user';
import { UserHandlers, usersMax } from './user.handlers';

const by = operator();

describe('users', () => {
  let fixture: AuthFixture;
  let users: UserHandlers;

  beforeAll(async () => {
    fixture = await bootAuth();
    users = fixture.running.app.get(UserHandlers, { strict: false });
  });
  afterAll(() => fixture?.running.close());
  beforeEach(() => fixture.database.query('TRUNCATE users CASCADE'));

  const wanted = (name: string, projects: Record<string, string> = { proj_1: 'USER' }) => ({
    ...{ login: name, email: `${name}@shop.example`, first_name: name, last_name: 'Jones', projects },
  });
  const added = async (...wants: Parameters<typeof wanted>): Promise<User> => {
    const user = await users.add(by, wanted(...wants));
    if (isRefused(user)) throw new Error(user.details);
    return user;
  };

  it('are found by id and by login in any case', async () => {
    const mary = await added('Mary', { proj_1: 'USER', proj_2: 'ADMIN' });
    expect(await users.find(mary.id)).toEqual(mary);
    expect(await users.findByLogin('mARY')).toEqual(mary);
    expect([await users.find('user_none'), await users.findByLogin('none')]).toEqual([null, null]);
  });

  it('are listed by project, with the owners', async () => {
    const [tom, mary] = [await added('tom', { proj_2: 'VIEWER' }), await added('Mary')];
    const owner = await users.add(by, { ...wanted('boss', {}), is_owner: true });
    expect(await users.ofProject('proj_1')).toEqual([owner, mary]);
    expect(await users.ofProject('proj_2')).toEqual([owner, tom]);
    expect(await users.all()).toEqual([owner, mary, tom]);
  });

  it.each([
    ['login', { login: 'MARY', email: 'other@shop.example' }, 'Duplicated user exists with login MARY'],
    ['e-mail address', { email: 'Mary@Shop.Example' }, 'Duplicated user exists with email Mary@Shop.Example'],
  ])('have a %s of their own', async (_name, taken, details) => {
    await added('mary');
    expect(await users.add(by, { ...wanted('tom'), ...taken })).toMatchObject({
      refused: 'duplicate_found',
      details,
    });
  });

  it('have one login where fifty calls add it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        users.add(by, { ...wanted('mary'), email: `${index}@x.example` }),
      ),
    );
    expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
    expect(await users.all()).toHaveLength(1);
  });

  it('keep every role that parallel calls give', async () => {
    const mary = await added('mary', {});
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        users.change(by, mary.id, { type: 'AddToProject', project_id: `proj_${index}`, role: 'USER' }),
      ),
    );
    expect(Object.keys((await users.find(mary.id))?.projects ?? {})).toHaveLength(20);
  });

  it('have no role in a project that was deleted, which is not their last one then', async () => {
    const mary = await added('mary', { proj_1: 'USER', proj_demo: 'USER' });
    await fixture.bootstrap.run(knownKeys);
    await fixture.database.query(`UPDATE projects SET deleted = true WHERE id = 'proj_demo'`);
    expect((await users.find(mary.id))?.projects).toEqual({ proj_1: 'USER' });
    const leave = { type: 'RemoveFromProject', project_id: 'proj_1' } as const;
    expect(await users.change(by, mary.id, leave)).toMatchObject({ refused: 'last_project_of_user' });
  });

  it('keep one of two projects that are left at once', async () => {
    const mary = await added('mary', { proj_1: 'USER', proj_2: 'USER' });
    const left = await Promise.all(
      ['proj_1', 'proj_2'].map((project_id) =>
        users.change(by, mary.id, { type: 'RemoveFromProject', project_id }),
      ),
    );
    expect(left.filter(isRefused)).toMatchObject([{ refused: 'last_project_of_user' }]);
    expect(Object.keys((await users.find(mary.id))?.projects ?? {})).toHaveLength(1);
  });

  it('are 1,000 at most', async () => {
    await fixture.database.query(
      `INSERT INTO users (id, login, first_name, last_name, is_owner, is_active, must_change_password)
       SELECT 'user_' || n, 'login_' || n, '', '', false, true, true FROM generate_series(1, $1) n`,
      [usersMax],
    );
    expect(await users.add(by, wanted('mary'))).toMatchObject({ refused: 'limit_exceeded' });
  });

  it('are not changed where they are unknown', async () => {
    expect(await users.change(by, 'user_none', { type: 'SetActive', is_active: false })).toMatchObject({
      refused: 'not_found',
      details: 'Cannot find user with id user_none',
    });
  });

  describe('the first one', () => {
    let first: FirstUser;

    beforeAll(() => (first = fixture.running.app.get(FirstUser, { strict: false })));

    it('is made once, an owner whose password is to be changed, of which the hash is kept', async () => {
      expect(await first.make(new Secret('mlk-fgo-wxyh'))).toBe('made');
      expect(await first.make(new Secret('another-one-xyz'))).toBe('there already');
      const admin = await users.findByLogin('admin');
      expect(admin).toMatchObject({ is_owner: true, is_active: true, must_change_password: true });
      const { isRight } = await new PasswordHashes(14).verify(
        'mlk-fgo-wxyh',
        admin?.password_hash ?? null,
        'here',
      );
      expect(isRight).toBe(true);
    });

    it('is made once where two processes start at once', async () => {
      const made = await Promise.all([first.make(null), first.make(null)]);
      expect(made.sort()).toEqual(['made', 'there already']);
      expect(await first.lacksPassword()).toBe(true);
    });

    it('is not made beside others', async () => {
      await added('mary');
      expect(await first.make(null)).toBe('there already');
      expect(await users.findByLogin('admin')).toBeNull();
    });

    it('does not get a password that many people have', async () => {
      await expect(first.make(new Secret('password1234'))).rejects.toThrow(
        'SCRIP_ADMIN_PASSWORD is too common: many people use one like it',
      );
    });
  });
});
