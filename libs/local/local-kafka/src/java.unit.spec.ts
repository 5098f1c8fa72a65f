import { findJava, javaVersionIn } from './java';

describe('the Java for Kafka', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "25" 2025-09-16', 25],
    ['java version "1.8.0_402"', 8],
    ['sh: something else', null],
  ])('has the version that %s tells', (output, version) => expect(javaVersionIn(output)).toBe(version));

  it('is named when it is missing, with what to do', async () => {
    await expect(findJava({ JAVA_HOME: '/nowhere' })).rejects.toThrow(
      /^\/nowhere\/bin\/java is not there. Kafka needs Java 17 or newer: install it/,
    );
  });
});
