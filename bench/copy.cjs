#!/usr/bin/env node
// The least that a function on Node can do.
process.stdin.pipe(process.stdout);
