// Splits a ccTalk byte stream with the package @serialport/parser-cctalk: reads chunks as lines of hex digits from
// standard input, prints each frame as a line of hex digits.
const { CCTalkParser } = require('@serialport/parser-cctalk');
const { readFileSync } = require('fs');

const parser = new CCTalkParser(10000);
parser.on('data', (frame) => console.log(frame.toString('hex')));
for (const line of readFileSync(0, 'ascii').split('\n')) {
  if (line) parser.write(Buffer.from(line, 'hex'));
}
