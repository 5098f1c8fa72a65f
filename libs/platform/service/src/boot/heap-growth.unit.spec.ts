import v8 from 'node:v8';
import { runProgram } from './run-program';

test('a program bounds the growth of its heap before it does anything else', async () => {
  const order: string[] = [];
  const set = jest.spyOn(v8, 'setFlagsFromString').mockImplementation((flags) => void order.push(flags));
  await runProgram(async () => void order.push('run'));
  expect(order).toEqual(['--heap-growing-percent=50', 'run']);
  set.mockRestore();
});
