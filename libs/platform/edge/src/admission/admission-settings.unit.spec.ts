import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fakeAuth } from '../testing/fake-auth';
import { admissionOptions } from './admission-settings';

const application = { get: () => fakeAuth({}) } as unknown as NestFastifyApplication;

const registered: string[] = [];

const optionsWith = (answerTimeoutMs: number | null, apiLogIsOn = false) =>
  admissionOptions(
    application,
    {
      oauthHeaders: ['Authorization'],
      featuresOff: ['branding'],
      answerTimeoutMs,
      baseUrl: 'https://scrip.example.com',
      dashboard: { allowHttp: false },
      apiLog: { isOn: apiLogIsOn },
      rateLimits: {
        apiCallsPerHour: 1,
        bulkApiCallsPerHour: 2,
        apiCalls: [{ value: 4, durationS: 60 }],
        bulkApiCalls: [{ value: 5, durationS: 10 }],
        apiCallsPerCycle: 6,
        webhookCallsPerDay: 7,
        clientCallsPer5Seconds: 3,
      },
    },
    {
      counter: (name) => {
        registered.push(name);
        return () => undefined;
      },
    },
  );

describe('what a process admits callers by', () => {
  it('has the configured time for an answer', () => {
    expect(optionsWith(25_000)).toMatchObject({ deadlineMs: 25_000 });
  });

  it('leaves that time to the edge where none is configured', () => {
    expect(optionsWith(null)).not.toHaveProperty('deadlineMs');
  });

  it('has the features that are switched off', () => {
    expect(optionsWith(null).featuresOff).toEqual(['branding']);
  });

  it('notes calls only where the configuration says so, and counts those that are lost', () => {
    expect(optionsWith(null)).not.toHaveProperty('callNotes');
    expect(registered).toEqual([]);
    expect(optionsWith(null, true).callNotes).toBeDefined();
    expect(registered).toEqual(['scrip_api_log_lost_total']);
  });

  it('knows how browsers reach it', () => {
    expect(optionsWith(null).dashboard).toEqual({ baseUrl: 'https://scrip.example.com', allowHttp: false });
  });

  it('counts calls per hour, by the further limits and per cycle, and those of browsers per 5 seconds', () => {
    expect(optionsWith(null).rateLimits).toEqual({
      apiCalls: [
        { value: 1, durationS: 3_600 },
        { value: 4, durationS: 60 },
      ],
      bulkApiCalls: [
        { value: 2, durationS: 3_600 },
        { value: 5, durationS: 10 },
      ],
      apiCallsPerCycle: 6,
      webhookCalls: [{ value: 7, durationS: 86_400 }],
      clientCalls: [{ value: 3, durationS: 5 }],
    });
  });
});
