// Drives a bill validator with the package cashcode-bv. Bills of 50 are given back, others are stacked.
const { CCNet } = require('cashcode-bv');

const say = (event, more = {}) => console.log(JSON.stringify({ event, ...more }));
const device = new CCNet.BillValidator(process.argv[2]);
for (const name of ['power-up', 'initialize', 'disabled', 'idling', 'accepting', 'stacking', 'returning', 'cassette-full', 'cassette-out-of-position', 'jammed', 'cheated']) {
  device.on(name, () => say(name));
}
for (const name of ['stacked', 'returned']) device.on(name, (bill) => say(name, { bill }));
device.on('error', (error) => say('error', { text: String(error) }));
device.on('escrow', async (bill) => {
  say('escrow', { bill });
  if (bill.amount === 50) await device.retrieve();
  else await device.stack();
});

(async () => {
  await device.connect();
  say('connected', { info: device.info });
  await device.begin();
  say('begun');
})().catch((error) => say('error', { text: String(error) }));
