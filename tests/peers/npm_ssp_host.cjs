// Drives a note validator with the package encrypted-smiley-secure-protocol, unencrypted; orders: reject.
const Ssp = require('encrypted-smiley-secure-protocol');

const say = (event, more = {}) => console.log(JSON.stringify({ event, ...more }));
const host = new Ssp({ id: 0x00, timeout: 1000 });
host.aesEncryption = null;
for (const name of ['READ_NOTE', 'CREDIT_NOTE', 'NOTE_STACKED', 'NOTE_STACKING', 'NOTE_REJECTED', 'SLAVE_RESET', 'UNSAFE_NOTE_JAM', 'SAFE_NOTE_JAM', 'FRAUD_ATTEMPT', 'CASHBOX_REMOVED']) {
  host.on(name, (info) => say(name, { channel: info.channel }));
}

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'reject') host.command('REJECT_BANKNOTE').then(() => say('reject sent'));
});

(async () => {
  await host.open(process.argv[2]);
  say('sync', { status: (await host.command('SYNC')).status });
  say('version', { status: (await host.command('HOST_PROTOCOL_VERSION', { version: 6 })).status });
  say('serial', { serial: (await host.command('GET_SERIAL_NUMBER')).info.serial_number });
  const setup = await host.command('SETUP_REQUEST');
  say('setup', { values: setup.info.expanded_channel_value, countries: setup.info.expanded_channel_country_code });
  say('inhibits', { status: (await host.command('SET_CHANNEL_INHIBITS', { channels: [1, 1, 1, 1, 1, 1, 1, 1] })).status });
  await host.enable();
  say('enabled');
})().catch((error) => say('error', { text: String(error) }));
