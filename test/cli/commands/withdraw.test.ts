import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { fakeVenue } from '../../app/terminal/fixture.ts';
import { line, person } from './fixture.ts';

const PASSWORD = 'open sesame 9';
const environment = { ZB_FUNDS_PASSWORD: PASSWORD };

const sentOf = (venue: ReturnType<typeof fakeVenue>) =>
  venue.sent.filter(({ call }) => call === 'withdraw');

describe('tradewind withdraw', () => {
  it('shows everything, asks twice, then for the password, and sends it once', async () => {
    const venue = fakeVenue();
    const prompts = person(['yes', '0.5', PASSWORD]);
    const { code, stdout } = await line('withdraw btc 0.50', { venue, prompts });
    expect(code).toBe(0);
    expect(prompts.shown).toBe(
      [
        'venue    venue.test',
        'arrives  0.5 btc',
        'fee      0.0005 btc, fee of chain BTC',
        'leaves   0.5005 btc, 2 btc available',
        'address  1Out',
        'Withdraw this? Type yes to go on: Type the amount of btc that is to arrive: Funds password (not shown): ',
      ].join('\n'),
    );
    expect(stdout).toMatch(
      /^submitted, id 77; how it goes:\n {2}npx tradewind account withdrawals btc/,
    );
    expect(sentOf(venue)).toMatchObject([{ argument: { password: PASSWORD, address: '1Out' } }]);
  });

  it.each([
    ['no', ['no']],
    ['a mere y', ['y']],
    ['nothing', ['']],
    ['Ctrl-C', [undefined]],
    ['another amount', ['yes', '0.05']],
    ['Ctrl-C at the amount', ['yes', undefined]],
    ['no password', ['yes', '0.5', '']],
    ['Ctrl-C at the password', ['yes', '0.5', undefined]],
  ])('sends nothing after %s, whatever follows, and ends with 11', async (_what, answers) => {
    const venue = fakeVenue();
    const right = ['yes', '0.5', PASSWORD].slice(answers.length);
    const prompts = person([...answers, ...right]);
    const { code, stderr } = await line('withdraw btc 0.5', { venue, prompts });
    expect(code).toBe(11);
    expect(stderr).toMatch(/^Cannot withdraw: .*; nothing was sent$/);
    expect(sentOf(venue)).toEqual([]);
  });

  it('refuses without a terminal before it asks the exchange anything', async () => {
    const venue = fakeVenue();
    const { code, stderr } = await line('withdraw btc 0.5', { venue, environment });
    expect({ code, stderr }).toEqual({
      code: 11,
      stderr:
        'Cannot withdraw: there is no terminal to ask at, one or --yes is wanted; nothing was sent',
    });
    expect(venue.sent).toEqual([]);
  });
});

describe('tradewind withdraw --yes', () => {
  it('asks nothing with --yes, and takes the password from the environment', async () => {
    const venue = fakeVenue();
    const text = 'withdraw usdt 100 --chain trc20 --address acme --memo 12 --internal --yes --json';
    const { json } = await line(text, { venue, environment });
    expect(json()).toEqual({
      ...{ outcome: 'submitted', id: '77', currency: 'usdt', amount: '100', fee: '1' },
      ...{ leaves: '101', chain: 'TRC20', address: 'acme_12', internal: true },
    });
    expect(sentOf(venue)).toMatchObject([{ argument: { internal: true, password: PASSWORD } }]);
  });

  it('shows what leaves with --yes too, and warns of another address', async () => {
    const { stdout } = await line('withdraw btc 0.5 --address 1Else --yes', { environment });
    expect(stdout).toMatch(/address {2}1Else\n +NOT the verified address that is known: 1Out\n/);
  });

  it.each(['1000', '1,000'])('takes the amount typed as %s', async (typed) => {
    const prompts = person(['yes', typed, PASSWORD]);
    const text = 'withdraw usdt 1000 --chain TRC20 --address T1 --internal';
    expect(await line(text, { prompts })).toMatchObject({ code: 0 });
    expect(prompts.shown).toContain('arrives   1,000 usdt\n');
  });

  it('says at most where a fee may not be charged', async () => {
    const { stdout } = await line('withdraw btc 2 --internal --yes', { environment });
    expect(stdout).toMatch(/fee +at most 0\.0005 btc, fee of chain BTC\n/);
    expect(stdout).toMatch(/leaves +at most 2\.0005 btc, 2 btc available\n/);
  });

  it('shows what cannot be printed of an address', async () => {
    const withdrawalAddress = () => of('1Out\u202etuO1\u001b[8m');
    const venue = fakeVenue({ overrides: { withdrawalAddress } });
    const { stdout } = await line('withdraw btc 0.5 --yes', { venue, environment });
    expect(stdout).toContain('address  1Out\\u{202e}tuO1\\u{1b}[8m\n');
  });

  it('wants the password of --yes in the environment', async () => {
    const venue = fakeVenue();
    const { code, stderr } = await line('withdraw btc 0.5 --yes', { venue });
    expect(code).toBe(3);
    expect(stderr).toContain('ZB_FUNDS_PASSWORD is not set');
    expect(venue.sent).toEqual([]);
  });
});

describe('tradewind withdraw: password and outcome', () => {
  it('has no way to pass the password on the command line', async () => {
    const { stdout } = await line('withdraw --help');
    expect(stdout.match(/--\S+/g)).not.toContainEqual(expect.stringMatching(/pass|secret/i));
  });

  it.each(['unknown', 'rejected', 'limited', 'unsent'] as const)(
    'sends it once and never shows the password: %s',
    async (kind) => {
      const venue = fakeVenue();
      const options = kind === 'rejected' ? { code: 1005 } : {};
      const prompts = person(['yes', '0.5', PASSWORD]);
      venue.fail('withdraw', kind, options);
      const { code, stdout, stderr } = await line('withdraw btc 0.5', { venue, prompts });
      expect(code).toBe({ unknown: 9, rejected: 10, limited: 4, unsent: 4 }[kind]);
      expect(sentOf(venue)).toHaveLength(1);
      expect(stdout + stderr + prompts.shown).not.toContain(PASSWORD);
      expect(venue.closed).toBe(true);
    },
  );

  it('tells programs and people of an unknown outcome', async () => {
    const venue = fakeVenue();
    venue.fail('withdraw', 'unknown');
    const outcome = await line('withdraw btc 0.5 --yes --json', { venue, environment });
    expect(outcome.json()).toMatchObject({ outcome: 'unknown', id: null, amount: '0.5' });
    expect(outcome.stderr).toContain('Do not repeat it');
    const [sending] = outcome.stderr.split('\n');
    expect(JSON.parse(sending!)).toEqual({ ...outcome.json(), outcome: 'sending' });
    expect(outcome.stderr).not.toContain(PASSWORD);
  });
});
