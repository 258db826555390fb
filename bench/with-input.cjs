// Runs a command (the second argument) in this process, with a file as standard input.
const { closeSync, openSync } = require('node:fs');
const { resolve } = require('node:path');

const [input, command] = process.argv.splice(2, 2);
closeSync(0);
openSync(input, 'r'); // The lowest free descriptor, which is 0.
require(resolve(command));
