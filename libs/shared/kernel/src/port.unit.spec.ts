import { definePort, definedPorts } from './port';

interface GreeterPort {
  greet(context: { deadlineAt: number }, request: { name: string }): Promise<{ greeting: string }>;
}

describe('definePort', () => {
  const greeter = definePort<GreeterPort>('greeter', ['greet']);

  it('names the port and its methods, for whoever binds all of them', () => {
    expect(greeter).toEqual({ name: 'greeter', methods: ['greet'] });
    expect(definedPorts()).toContain(greeter);
  });

  it('refuses a second port of the same name', () => {
    expect(() => definePort<GreeterPort>('greeter', ['greet'])).toThrow('port greeter is defined twice');
  });

  it('refuses a method that is listed twice', () => {
    expect(() => definePort<GreeterPort>('double', ['greet', 'greet'])).toThrow(
      'port double lists a method twice',
    );
  });
});
