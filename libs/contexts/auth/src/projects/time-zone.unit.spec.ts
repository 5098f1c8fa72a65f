import { shownZone, zoneNamed } from './time-zone';

describe('a time zone', () => {
  test.each([
    ['Europe/Warsaw', 'Europe/Warsaw', 'Europe/Warsaw'],
    ['UTC', 'UTC', 'UTC'],
    ['GMT', 'GMT', 'GMT'],
    ['GMT+0', 'GMT', 'GMT'],
    ['GMT+2', 'Etc/GMT-2', 'GMT+2'],
    ['GMT-03:00', 'Etc/GMT+3', 'GMT-3'],
    ['UTC+14', 'Etc/GMT-14', 'GMT+14'],
  ])('named %s is %s and shown as %s', (name, zone, shown) => {
    expect(zoneNamed(name)).toBe(zone);
    expect(shownZone(zone)).toBe(shown);
  });

  test.each(['', 'Europe/Krakow', 'GMT+15', 'GMT-13', 'GMT+5:30', '+02:00', 'x'.repeat(65)])(
    'named %j does not exist',
    (name) => {
      expect(zoneNamed(name)).toBeNull();
    },
  );
});
